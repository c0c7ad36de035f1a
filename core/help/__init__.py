"""The documentation inside the product: chapters, search, and the chapter that fits a page."""
