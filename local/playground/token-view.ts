import { announce } from './announcer.ts'
import { element } from './dom.ts'
import type { Json, JsonObject } from './json.ts'
import { type Check, decode, verify } from './token.ts'
import { duration, moment } from './words.ts'

const meanings: Record<string, string> = {
  iss: 'who issued it',
  aud: 'for whom',
  sub: 'the end user, unique within the issuer',
  iat: 'issued',
  nbf: 'not valid before',
  exp: 'expires',
  jti: 'its id, derived from the session’s',
  securityContext: 'what access policies of the data model see',
}

/** A token with its header, claims and checks, and the time it has left for as long as it is shown. */
export async function tokenView(token: string): Promise<HTMLElement> {
  const decoded = decode(token)
  const { header, claims, parts } = decoded
  const checks = await verify(decoded, Date.now())
  const passed = checks.every((check) => check.passed)
  announce(passed ? 'Redeemed. The token is verified.' : 'Redeemed. The token is not verified.')
  const raw = element(
    'p',
    { class: 'raw-token', tabindex: 0, role: 'region', 'aria-label': 'The token as it is sent' },
    ...parts.flatMap((part, index) => [index === 0 ? '' : '.', element('span', { class: `part-${index}` }, part)]),
  )
  return element(
    'div',
    { class: 'token' },
    element(
      'p',
      { class: 'outcome' },
      element('span', { class: `badge ${passed ? 'good' : 'bad'}` }, passed ? 'Verified' : 'Not verified'),
      ' ',
      timeLeft(Number(claims.exp) * 1000),
    ),
    element('ul', { class: 'checks' }, ...checks.map(checkItem)),
    element('h4', {}, 'Header'),
    table(header),
    element('h4', {}, 'Claims'),
    table(claims),
    element('details', {}, element('summary', {}, `As it is sent, ${token.length} bytes`), raw),
  )
}

const checkItem = ({ passed, text }: Check): HTMLElement =>
  element(
    'li',
    { class: passed ? 'passed' : 'failed' },
    element('span', { class: 'mark', 'aria-hidden': 'true' }, passed ? '✓' : '✗'),
    ` ${passed ? '' : 'Failed: '}${text}`,
  )

function table(values: JsonObject): HTMLElement {
  const rows = Object.entries(values).map(([name, value]) =>
    element(
      'tr',
      {},
      element('th', { scope: 'row' }, element('code', {}, name)),
      element(
        'td',
        {},
        valueView(name, value),
        meanings[name] && element('span', { class: 'hint' }, ` ${meanings[name]}`),
      ),
    ),
  )
  return element('table', { class: 'values' }, element('tbody', {}, ...rows))
}

function valueView(name: string, value: Json): Node {
  if (['iat', 'nbf', 'exp'].includes(name) && typeof value === 'number') {
    return element('span', {}, element('code', {}, String(value)), ' ', moment(new Date(value * 1000).toISOString()))
  }
  if (typeof value === 'object' && value !== null) return element('pre', {}, JSON.stringify(value, null, 2))
  return element('code', {}, String(value))
}

/** Not a live region: nobody wants to hear every second. */
export function timeLeft(until: number, what = 'expires'): HTMLElement {
  const shown = element('span', { class: 'time-left' })
  const show = () => {
    const left = until - Date.now()
    shown.textContent = left > 0 ? `${what} in ${duration(left)}` : `${what.replace(/s$/, '')}d`
    if (left <= 0 || (!shown.isConnected && shown.dataset.seen)) clearInterval(timer)
    if (shown.isConnected) shown.dataset.seen = 'true'
  }
  const timer = setInterval(show, 1000)
  show()
  return shown
}
