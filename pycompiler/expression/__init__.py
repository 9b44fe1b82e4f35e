"""The HudiExpression: model, Thrift codec, reference evaluator and text."""
