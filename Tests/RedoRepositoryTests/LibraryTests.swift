// The library as other programs meet it: only what is public of RedoRepository is used here.

import RedoRepository
import Testing

/// Placeholder.
@Suite struct LibraryTests {}
