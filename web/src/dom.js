// Elements without HTML: every text of the data goes in as a text node.

/** element("p", {class: "note"}, "text", child, …); null attributes and children are left out. */
export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value != null) made.setAttribute(key, value);
  }
  made.append(...children.flat().filter((child) => child != null));
  return made;
}

let ids = 0;
export const fresh_id = (what) => `${what}-${++ids}`;
