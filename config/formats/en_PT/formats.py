from config.formats import shown_in

globals().update(shown_in("pt"))
