import { createLocalJWKSet, decodeJwt, decodeProtectedHeader, jwtVerify } from 'jose'
import { useEffect, useState } from 'preact/hooks'
import type { Schemas } from './api.ts'
import { timeLeft } from './duration.ts'
import { Badge, Code, Outcome } from './exchange.tsx'
import { item, useNow } from './words.tsx'

/** Verifies with the published keys, as any recipient would. @returns why it is not valid */
async function wrongOf(token: string): Promise<string | undefined> {
  try {
    const answer = await fetch('/.well-known/jwks.json', { cache: 'no-cache' })
    await jwtVerify(token, createLocalJWKSet(await answer.json()), {
      algorithms: ['ES256'],
      typ: 'embed+jwt',
      requiredClaims: ['exp', 'nbf', 'sub'],
    })
  } catch (error) {
    return (error as Error).message
  }
}

export function TokenView({ token, isRevoked }: { token: string; isRevoked: boolean }) {
  const [checked, setChecked] = useState<{ wrong: string | undefined }>()
  const claims = decodeJwt<{ act?: { sub: string } }>(token)
  const left = Number(claims.exp) * 1000 - useNow()
  useEffect(() => {
    wrongOf(token).then((wrong) => setChecked({ wrong }))
  }, [left > 0])
  if (!checked) return <p class="hint">The token is being verified …</p>
  const { wrong } = checked
  return (
    <div class="token">
      <Outcome key={wrong}>
        <Badge look={wrong ? 'bad' : 'good'}>{wrong ? 'Not verified' : 'Verified'}</Badge>{' '}
        <span class="time-left">{timeLeft(left)}</span>
        {claims.act && <b>{claims.act.sub} views as this end user.</b>}
      </Outcome>
      <p class="hint">
        {wrong ?? 'Its signature is by a published key. Algorithm, type and times are right.'}
      </p>
      {isRevoked && (
        <p class="revoked inset">
          Revoked here. Verifiers with the key set alone still accept it; those that follow the{' '}
          <a href="/.well-known/embed-revocations">revocations</a> refuse it within 30 seconds.
        </p>
      )}
      <JsonOf label="Header of the token" value={decodeProtectedHeader(token)} />
      <JsonOf label="Claims of the token" value={claims} />
    </div>
  )
}

export function DryRunView({ claims, tokenBytes, limits, warnings }: Schemas['DryRun']) {
  const most = limits.maxTokenBytes
  return (
    <div class="token">
      <p>{`Nothing was written. The token would have ${tokenBytes} of at most ${most} bytes.`}</p>
      {warnings.length > 0 && <h4>Probably a mistake</h4>}
      <ul class="warnings inset">
        {warnings.map(({ pointer, message }, index) =>
          item([<code key="">{pointer}</code>, ` ${message}`], index),
        )}
      </ul>
      <JsonOf label="Claims of the token" value={claims} />
    </div>
  )
}

const JsonOf = ({ label, value }: { label: string; value: object }) => (
  <>
    <h4>{label}</h4>
    <Code text={JSON.stringify(value, null, 2)} label={label} />
  </>
)
