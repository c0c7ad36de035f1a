// Texts of scripts in the reader's language. The catalogue is there when the page's language is not English.
const catalogue = globalThis.django ?? {};
export const gettext = (text) => (catalogue.gettext ? catalogue.gettext(text) : text);
export const ngettext = (one, many, count) =>
  catalogue.ngettext ? catalogue.ngettext(one, many, count) : count === 1 ? one : many;
export const interpolate = (text, values) => text.replace(/%\((\w+)\)s/g, (_match, name) => String(values[name]));
