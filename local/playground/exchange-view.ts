import { announce } from './announcer.ts'
import type { Answer, ApiRequest } from './api.ts'
import { curlLine } from './curl.ts'
import { breakable, element } from './dom.ts'
import type { Json } from './json.ts'

/** A request as it is sent, and as a line for the shell. */
export function requestView(request: ApiRequest): HTMLElement {
  const { method, path, headers, body } = request
  return element(
    'div',
    { class: 'request' },
    element(
      'p',
      { class: 'request-line' },
      element('b', {}, method),
      ' ',
      breakable(location.origin + path, /(?<=[/?&])/),
    ),
    element(
      'dl',
      { class: 'headers' },
      ...Object.entries(headers).flatMap(([name, value]) => [element('dt', {}, name), element('dd', {}, value)]),
    ),
    body === undefined ? undefined : code(body, 'Body of the request'),
    curlView(request),
  )
}

/** An answer: what became of it, then all of it. Bodies that may be long are written out once they are opened. */
export function answerView(answer: Answer, { folded = false } = {}): HTMLElement {
  const { headers, body } = answer
  return element(
    'div',
    { class: 'answer' },
    outcomeView(answer),
    body === undefined ? undefined : folded ? lazyDetails('Body', () => json(body)) : json(body),
    headers.length === 0
      ? undefined
      : lazyDetails('Headers of the answer', () =>
          element(
            'dl',
            { class: 'headers' },
            ...headers.flatMap(([name, value]) => [element('dt', {}, name), element('dd', {}, value)]),
          ),
        ),
  )
}

/** What an answer says, for the ear. */
export const outcomeText = ({ status, statusText, message }: Answer): string =>
  `${status || ''} ${statusText}. ${message ?? ''}`.trim()

/** The status in a word and a colour, and in a refusal what the service says. */
export const outcomeView = ({ status, statusText, milliseconds, message }: Answer): HTMLElement =>
  element(
    'p',
    { class: 'outcome' },
    element('span', { class: `badge ${isGood(status) ? 'good' : 'bad'}` }, `${status || ''} ${statusText}`.trim()),
    element('span', { class: 'hint' }, ` ${milliseconds} ms `),
    message === undefined ? undefined : element('span', { class: 'message' }, message),
  )

export const json = (value: Json): HTMLElement => code(JSON.stringify(value, null, 2), 'Body of the answer')

/** Long lines and texts scroll within, which needs the focus for those without a mouse. */
const code = (text: string, label: string): HTMLElement =>
  element('pre', { tabindex: 0, role: 'region', 'aria-label': label }, text)

export function lazyDetails(summary: string, content: () => HTMLElement): HTMLElement {
  const details = element('details', {}, element('summary', {}, summary))
  details.addEventListener('toggle', () => details.append(content()), { once: true })
  return details
}

function curlView(request: ApiRequest): HTMLElement {
  const line = curlLine(request, location.origin)
  const copied = element('span', { class: 'hint' })
  const copy = element('button', { type: 'button', class: 'quiet' }, 'Copy')
  copy.addEventListener('click', async () => {
    const ended = await navigator.clipboard.writeText(line).then(
      () => 'Copied.',
      () => 'The browser did not allow it: select the text and copy it.',
    )
    copied.textContent = ended
    announce(ended)
  })
  const shown = element('pre', { tabindex: 0, role: 'region', 'aria-label': 'The request as a curl command' }, line)
  return element('details', { class: 'curl' }, element('summary', {}, 'As curl'), shown, copy, ' ', copied)
}

const isGood = (status: number): boolean => status >= 200 && status < 300
