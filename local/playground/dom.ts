type Attributes = Readonly<Record<string, string | number | boolean | undefined>>
export type Content = Node | string | undefined

/** A new element. An attribute that is false or undefined is left out, one that is true has no value. */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...content: readonly Content[]
): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== false) made.setAttribute(name, value === true ? '' : String(value))
  }
  made.append(...content.filter((each) => each !== undefined))
  return made
}

/** A long text that may be broken at these places. */
export const breakable = (text: string, at: RegExp): HTMLElement =>
  element('span', {}, ...text.split(at).flatMap((part) => [element('wbr'), part]))

/** An element of the page, which is known to be there and of that kind. */
export function byId<E extends HTMLElement>(id: string, kind: new () => E): E {
  const found = document.getElementById(id)
  if (!(found instanceof kind)) throw new Error(`#${id} is not what it should be`)
  return found
}

export function within<E extends HTMLElement>(parent: HTMLElement, selector: string, kind: new () => E): E {
  const found = parent.querySelector(selector)
  if (!(found instanceof kind)) throw new Error(`no ${selector} here`)
  return found
}

/** What a field suggests; anything else may be typed. */
export function suggest(listId: string, options: readonly { readonly value: string; readonly label?: string }[]): void {
  byId(listId, HTMLDataListElement).replaceChildren(
    ...options.map(({ value, label }) => element('option', { value }, label ?? '')),
  )
}
