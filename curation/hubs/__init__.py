"""Publishing releases at hubs: data sets at the Hugging Face Hub, deposits with a DOI at Zenodo."""
