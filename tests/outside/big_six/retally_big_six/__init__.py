"""The Big Six wheel, a game that another distribution brings to retally."""
