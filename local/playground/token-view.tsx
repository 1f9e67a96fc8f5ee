import { useEffect, useState } from 'preact/hooks'
import type { Schemas } from './api.ts'
import { Badge } from './exchange.tsx'
import { type Check, decode, verify } from './token.ts'
import { announce, duration, Moment } from './words.tsx'

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
export function TokenView({ token, isRevoked }: { token: string; isRevoked: boolean }) {
  const [checks, setChecks] = useState<readonly Check[]>()
  const { header, claims } = decode(token)
  const passed = checks?.every((check) => check.passed)
  useEffect(() => {
    verify(token, Date.now()).then(setChecks)
  }, [token])
  useEffect(() => {
    if (checks) announce(`Redeemed. The token is ${passed ? '' : 'not '}verified.`)
  }, [checks])
  if (!checks) return <p class="hint">The token is being verified …</p>
  return (
    <div class="token">
      <p class="outcome">
        <Badge look={passed ? 'good' : 'bad'}>{passed ? 'Verified' : 'Not verified'}</Badge>{' '}
        <TimeLeft until={Number(claims.exp) * 1000} />
      </p>
      {isRevoked && <p class="revoked">Revoked here; verifiers with the key set alone still accept it.</p>}
      <ul class="plain checks">
        {checks.map(({ passed, text }) => (
          <li class={passed ? 'passed' : 'failed'} key={text}>
            <span class="mark" aria-hidden="true" children={passed ? '✓' : '✗'} />
            {` ${passed ? '' : 'Failed: '}${text}`}
          </li>
        ))}
      </ul>
      <ValuesTable caption="Header" of={header} />
      <ValuesTable caption="Claims" of={claims} />
      <details>
        <summary>As it is sent, {token.length} bytes</summary>
        <p class="raw-token" tabIndex={0} role="group" aria-label="The token as it is sent">
          {token
            .split('.')
            .map((part, index) => [index > 0 && '.', <span class={`part-${index}`} key={part} children={part} />])}
        </p>
      </details>
    </div>
  )
}

/** What a dry run says of the token that a real call would lead to. */
export function DryRunView({ of: { claims, tokenBytes, limits, warnings } }: { of: Schemas['DryRun'] }) {
  const most = limits.maxTokenBytes
  return (
    <div class="token">
      <label for="token-size">{`Nothing was written. The token would have ${tokenBytes} of at most ${most} bytes.`}</label>
      <meter id="token-size" max={most} high={most * 0.8} value={tokenBytes} />
      {warnings.length > 0 && <h4>Probably a mistake</h4>}
      <ul class="plain warnings">
        {warnings.map(({ pointer, message }) => (
          <li key={`${pointer} ${message}`}>
            <code>{pointer}</code> {message}
          </li>
        ))}
      </ul>
      <ValuesTable caption="Claims" of={claims} />
    </div>
  )
}

const ValuesTable = ({ caption, of }: { caption: string; of: object }) => (
  <>
    <h4>{caption}</h4>
    <table class="values" aria-label={caption}>
      <tbody>
        {Object.entries(of).map(([name, value]) => (
          <tr key={name}>
            <th scope="row">
              <code>{name}</code>
            </th>
            <td>
              <Value name={name} value={value} />
              {meanings[name] && <span class="hint"> {meanings[name]}</span>}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  </>
)

function Value({ name, value }: { name: string; value: unknown }) {
  if (typeof value === 'object' && value !== null) return <pre>{JSON.stringify(value, null, 2)}</pre>
  const isTime = ['iat', 'nbf', 'exp'].includes(name)
  return (
    <span>
      <code>{String(value)}</code> {isTime && <Moment iso={new Date(Number(value) * 1000).toISOString()} />}
    </span>
  )
}

/** Not a live region: nobody wants to hear every second. */
export function TimeLeft({ until, what = 'expires' }: { until: number; what?: string }) {
  const [now, setNow] = useState(Date.now)
  const left = until - now
  useEffect(() => {
    const timer = setTimeout(() => setNow(Date.now()), 1000)
    return () => clearTimeout(timer)
  }, [now])
  return <span class="time-left">{left > 0 ? `${what} in ${duration(left)}` : `${what.replace(/s$/, '')}d`}</span>
}
