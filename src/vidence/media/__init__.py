"""Video and sound: recipes first, pixels last."""
