"""Labelled data of other people, read into plain values: what attacks, splits and training start from."""
