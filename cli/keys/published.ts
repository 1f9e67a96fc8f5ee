import { isDeepStrictEqual } from 'node:util'
import type { SigningKeys } from '@embed-access/core/sessions/signing-keys.ts'

/** How long a service may take to answer, in milliseconds. */
const timeoutMs = 10_000

/**
 * Lets a rotation go on only when the one before it has been deployed.
 * @param url where the service is, such as https://api.example.com
 * @throws Error with a plain sentence where the service publishes other keys than these, or none
 */
export async function requirePublished(keys: SigningKeys, url: string): Promise<void> {
  const address = `${url.replace(/\/+$/, '')}/.well-known/jwks.json`
  const idsOf = ({ keys }: { readonly keys: readonly { readonly kid: string }[] }) => keys.map(({ kid }) => kid).sort()
  const request = { headers: { 'cache-control': 'no-cache' }, signal: AbortSignal.timeout(timeoutMs) }
  const published = await fetch(address, request)
    .then(async (response) => idsOf((await response.json()) as SigningKeys))
    .catch((cause: unknown) => {
      const advice = 'Check --published-at and that the service is up.'
      throw new Error(`No key set can be read at ${address}. ${advice}`, { cause })
    })
  if (isDeepStrictEqual(published, idsOf(keys))) return
  throw new Error(
    `${address} publishes other keys than those kept. Wait until the service publishes these, then try again.`,
  )
}
