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
  const published = new Set(await publishedKeyIds(address))
  if (published.size === keys.keys.length && keys.keys.every(({ kid }) => published.has(kid))) return
  throw new Error(
    `${address} publishes other keys than those kept. Wait until the service publishes these, then try again.`,
  )
}

async function publishedKeyIds(address: string): Promise<string[]> {
  try {
    const response = await fetch(address, {
      headers: { 'cache-control': 'no-cache' },
      signal: AbortSignal.timeout(timeoutMs),
    })
    if (!response.ok) throw new Error(`status ${response.status}`)
    return ((await response.json()) as { keys: { kid: string }[] }).keys.map(({ kid }) => kid)
  } catch (cause) {
    throw new Error(`No key set can be read at ${address}. Check --published-at and that the service is up.`, { cause })
  }
}
