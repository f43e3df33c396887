"""Reports for people: HTML, Markdown, JSON."""
