def make(root): pass
