import { maxTokenSeconds } from '@embed-access/core/access/lifetimes.ts'
import type { TokenLimits } from '@embed-access/core/sessions/token.ts'
import * as v from 'valibot'
import { type Environment, readVariable } from './environment.ts'
import type { Surroundings } from './runtime.ts'

/** The lifetime of a token in seconds and its greatest length in bytes, unless the environment says otherwise. */
export const defaultLimits = { lifetimeSeconds: maxTokenSeconds, maxTokenBytes: 7_168 }

const url = v.pipe(
  v.string(),
  v.url('must be a URL'),
  v.check((value) => !value.endsWith('/'), 'must not end with a slash'),
)

/** The service's own URL: ISSUER. */
export const issuer = (environment: Environment): string => readVariable(environment, 'ISSUER', url)

/** AUDIENCE (by default the issuer), TOKEN_LIFETIME_SECONDS and MAX_TOKEN_BYTES. */
export function issuance({ environment }: Pick<Surroundings, 'environment'>): TokenLimits {
  const iss = issuer(environment)
  const upTo = (max: number) => {
    const message = `must be an integer from 1 to ${max}`
    const digits = v.pipe(v.string(), v.regex(/^\d+$/, message), v.transform(Number))
    return v.pipe(digits, v.minValue(1, message), v.maxValue(max, message))
  }
  const { lifetimeSeconds, maxTokenBytes } = defaultLimits
  return {
    issuer: iss,
    audience: readVariable(environment, 'AUDIENCE', v.string(), iss),
    lifetimeSeconds: readVariable(environment, 'TOKEN_LIFETIME_SECONDS', upTo(lifetimeSeconds), `${lifetimeSeconds}`),
    maxTokenBytes: readVariable(environment, 'MAX_TOKEN_BYTES', upTo(10_240), `${maxTokenBytes}`),
  }
}
