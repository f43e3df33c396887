"""Vidence: did the video matter?"""
