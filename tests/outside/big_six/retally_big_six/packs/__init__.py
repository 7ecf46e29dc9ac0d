"""Rule packs, a folder each."""
