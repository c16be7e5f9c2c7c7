type Child = Node | string;
type Properties = Readonly<Record<string, string | boolean>>;

/** An element with attributes and children; texts stay texts. */
export const make = (name: string, properties: Properties = {}, ...children: readonly Child[]): HTMLElement => {
  const element = document.createElement(name);
  for (const [attribute, value] of Object.entries(properties)) {
    if (value === true) element.setAttribute(attribute, '');
    else if (value !== false) element.setAttribute(attribute, value);
  }
  element.append(...children);
  return element;
};
