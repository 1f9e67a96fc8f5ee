import { serveSessions } from './frame.ts'

export { type SessionServer, serveSessions } from './frame.ts'

const heightMessage = 'embed-access: height'

/** A backend that renders pages has no elements. */
const Base = globalThis.HTMLElement ?? class {}

declare global {
  interface HTMLElementTagNameMap {
    'embed-frame': EmbedFrame
  }
}

/**
 * Embeds a page of another origin, gives it sessions, and makes its frame as high as it says. A
 * backend of this page answers `POST` to `session-url` (`/session` without it) with
 * `{ sessionId }`.
 * @example <embed-frame src="https://embed.example.com/" title="Analytics"></embed-frame>
 */
export class EmbedFrame extends Base {
  static readonly observedAttributes = ['src', 'title']
  #isShown = false
  #stop = () => {}

  /** Asks the backend for a session id. Set another function to ask in another way. */
  async newSession(): Promise<string> {
    const url = this.getAttribute('session-url') ?? '/session'
    const response = await fetch(url, { method: 'POST' })
    if (!response.ok) throw new Error(`${url} answered ${response.status}.`)
    const { sessionId } = await response.json()
    if (typeof sessionId !== 'string') throw new Error(`${url} gave no sessionId.`)
    return sessionId
  }

  connectedCallback(): void {
    this.#isShown = true
    this.#stop()
    this.replaceChildren()
    const { href, origin } = new URL(this.getAttribute('src') ?? '', location.href)
    // A sandboxed page of this origin could take its sandbox away.
    if (origin === location.origin)
      throw new TypeError('<embed-frame> needs a src of another origin.')
    const iframe = document.createElement('iframe')
    iframe.setAttribute(
      'sandbox',
      'allow-scripts allow-same-origin allow-forms allow-popups allow-downloads',
    )
    iframe.title = this.title
    iframe.allow = this.getAttribute('allow') ?? ''
    iframe.src = href
    // A style sheet of the host overrides these attributes.
    iframe.width = '100%'
    iframe.setAttribute('frameborder', '0')
    const stop = serveSessions(iframe, { origin, newSession: () => this.newSession() })
    const listening = new AbortController()
    const resize = ({ source, origin: sender, data }: MessageEvent) => {
      const height = data?.[heightMessage]
      if (source === iframe.contentWindow && sender === origin && height >= 0)
        iframe.style.height = `${Number(height)}px`
    }
    addEventListener('message', resize, listening)
    this.#stop = () => {
      stop()
      listening.abort()
    }
    this.append(iframe)
  }

  attributeChangedCallback(name: string): void {
    const [iframe] = this.getElementsByTagName('iframe')
    if (name === 'title' && iframe) iframe.title = this.title
    else if (this.#isShown) this.connectedCallback()
  }

  disconnectedCallback(): void {
    this.#isShown = false
    this.#stop()
  }
}

// A page may load a second copy of this module.
if (!globalThis.customElements?.get('embed-frame'))
  globalThis.customElements?.define('embed-frame', EmbedFrame)

/**
 * Tells the page around this one how high it is, now and when that changes. Call it in the embedded
 * page. It must not take its height from the viewport, as with `100vh`: it would grow with its
 * frame, without end.
 * @param origins the pages that may know
 */
export function reportHeight({ origins }: { readonly origins: readonly string[] }): void {
  new ResizeObserver(() => {
    const { height } = document.documentElement.getBoundingClientRect()
    // Whole pixels of the screen: a page that lacks a part of one would scroll.
    const pixels = Math.ceil(height * devicePixelRatio - 0.1)
    const message = { [heightMessage]: pixels / devicePixelRatio }
    for (const origin of origins) parent.postMessage(message, origin)
  }).observe(document.documentElement)
}
