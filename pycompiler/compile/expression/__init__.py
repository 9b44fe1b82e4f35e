"""The HudiExpression: its model, its text, and the reference evaluator over column statistics."""
