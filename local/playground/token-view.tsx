import {
  compactVerify,
  createLocalJWKSet,
  decodeJwt,
  decodeProtectedHeader,
  type JSONWebKeySet,
} from 'jose'
import { useEffect, useState } from 'preact/hooks'
import type { Schemas } from './api.ts'
import { timeLeft } from './duration.ts'
import { Badge, Outcome } from './exchange.tsx'
import { Folded } from './fields.tsx'
import { item, Moment } from './words.tsx'

/** Verifies with the published keys, as any recipient would: what was checked, and the outcome. */
async function verify(token: string): Promise<(readonly [passed: boolean, text: string])[]> {
  const { kid, typ, alg } = decodeProtectedHeader(token)
  const { nbf = Number.POSITIVE_INFINITY, exp = 0 } = decodeJwt(token)
  const now = Date.now() / 1000
  const answer = await fetch('/.well-known/jwks.json').catch(() => undefined)
  const keySet: JSONWebKeySet = answer?.ok ? await answer.json() : { keys: [] }
  const hasKey = keySet.keys.some((key) => key.kid === kid)
  const verified = compactVerify(token, createLocalJWKSet(keySet), { algorithms: ['ES256'] })
  const isSigned = await verified.then(Boolean, () => false)
  const signed = isSigned
    ? 'The signature is verified: ES256, by this key.'
    : 'The signature is not by this key.'
  const valid = now < exp ? 'It is valid by this machine’s clock.' : 'It has expired.'
  return [
    [hasKey, `The key set has ${hasKey ? 'the' : 'no'} key that the header names.`],
    [isSigned, signed],
    [typ === 'embed+jwt' && alg === 'ES256', `The header says ${typ} and ${alg}.`],
    [nbf <= now && now < exp, valid],
  ]
}

export function TokenView({ token, isRevoked }: { token: string; isRevoked: boolean }) {
  const [checks, setChecks] = useState<Awaited<ReturnType<typeof verify>>>()
  useEffect(() => {
    verify(token).then(setChecks)
  }, [])
  if (!checks) return <p class="hint">The token is being verified …</p>
  const isVerified = checks.every(([passed]) => passed)
  const verdict = isVerified ? 'Verified' : 'Not verified'
  const claims = decodeJwt<{ act?: { sub: string } }>(token)
  return (
    <div class="token">
      <Outcome>
        <Badge look={isVerified ? 'good' : 'bad'}>{verdict}</Badge>{' '}
        <span class="time-left">{timeLeft(Number(claims.exp) * 1000 - Date.now())}</span>
        {claims.act && <b>{claims.act.sub} views as this end user.</b>}
      </Outcome>
      {isRevoked && (
        <p class="revoked inset">Revoked here; verifiers with the key set alone still accept it.</p>
      )}
      <ul class="checks">
        {checks.map(([passed, text]) => (
          <li class={passed ? '' : 'bad'} key={text}>
            <span class={passed ? 'good' : ''} aria-hidden="true">
              {passed ? '✓' : '✗'}
            </span>
            {` ${passed ? '' : 'Failed: '}${text}`}
          </li>
        ))}
      </ul>
      <ValuesTable caption="Header" of={decodeProtectedHeader(token)} />
      <ValuesTable caption="Claims" of={claims} />
      <Folded summary={`As it is sent, ${token.length} bytes`}>
        <p class="raw-token" tabIndex={0} role="group" aria-label="The token as it is sent">
          {token
            .split('.')
            .map((part, index) => [index > 0 && '.', <span key={part}>{part}</span>])}
        </p>
      </Folded>
    </div>
  )
}

export function DryRunView({ claims, tokenBytes, limits, warnings }: Schemas['DryRun']) {
  const most = limits.maxTokenBytes
  return (
    <div class="token">
      <label for="token-size">
        {`Nothing was written. The token would have ${tokenBytes} of at most ${most} bytes.`}
      </label>
      <meter id="token-size" max={most} high={most * 0.8} value={tokenBytes} />
      {warnings.length > 0 && <h4>Probably a mistake</h4>}
      <ul class="warnings inset">
        {warnings.map(({ pointer, message }, index) =>
          item([<code key="">{pointer}</code>, ` ${message}`], index),
        )}
      </ul>
      <ValuesTable caption="Claims" of={claims} />
    </div>
  )
}

const meanings: Record<string, string> = {
  iss: 'who issued it',
  aud: 'for whom',
  sub: 'the end user, unique within the issuer',
  act: 'who views as the end user, for support',
  iat: 'issued',
  nbf: 'not valid before',
  exp: 'expires',
  jti: 'its id, derived from the session’s',
  securityContext: 'what access policies of the data model see',
}
const times = ['iat', 'nbf', 'exp']

const ValuesTable = ({ caption, of }: { caption: string; of: object }) => (
  <>
    <h4>{caption}</h4>
    <dl class="values">
      {Object.entries(of).map(([name, value]) => [
        <dt key={name} children={<code>{name}</code>} />,
        <dd key={`${name}:`}>
          {typeof value === 'object' ? (
            <pre>{JSON.stringify(value, null, 2)}</pre>
          ) : (
            <code>{String(value)}</code>
          )}{' '}
          {times.includes(name) && <Moment iso={new Date(value * 1000).toISOString()} />}
          {meanings[name] && <span class="hint"> {meanings[name]}</span>}
        </dd>,
      ])}
    </dl>
  </>
)
