"""Files of other annotation tools: cases out to them, labels in from them. Pure: no framework, no database."""
