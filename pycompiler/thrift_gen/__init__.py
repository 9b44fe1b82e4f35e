__all__ = ['ttypes', 'constants', 'PredicateCompiler']
