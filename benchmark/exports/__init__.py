"""Sessions and runs in the formats of other programs, a module a format; plain data in, bytes or JSON values out."""
