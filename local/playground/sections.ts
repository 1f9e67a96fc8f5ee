/** Shows one section at a time, the one that the address names, and tells when a section is shown. */
export function showSections(shown: (id: string) => void): void {
  const sections = [...document.querySelectorAll<HTMLElement>('main > section')]
  const links = [...document.querySelectorAll<HTMLAnchorElement>('nav a[href^="#"]')]

  function show(focus: boolean): void {
    const named = sections.find(({ id }) => `#${id}` === location.hash)
    // Other anchors, such as the one that skips the heading, leave the section as it is.
    if (named === undefined && location.hash !== '') return
    const current = named ?? (sections[0] as HTMLElement)
    for (const section of sections) section.hidden = section !== current
    for (const link of links) {
      if (link.hash === `#${current.id}`) link.setAttribute('aria-current', 'page')
      else link.removeAttribute('aria-current')
    }
    shown(current.id)
    if (focus) current.querySelector('h2')?.focus({ preventScroll: true })
    if (focus) scrollTo(0, 0)
  }
  addEventListener('hashchange', () => show(true))
  show(false)
}
