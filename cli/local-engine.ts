/**
 * The address of the database behind a service that `npm start` runs.
 * @throws Error with a plain sentence if there is no such service at the address
 */
export async function engineBehind(url: string): Promise<string> {
  const page = URL.parse('/local/engine.json', url)
  if (page === null) throw new Error(`${url} is not an address. Give --url as npm start prints it.`)
  const response = await fetch(page).catch(() => undefined)
  if (response === undefined) throw new Error(`Nothing answers at ${url}. Start the service with npm start.`)
  const body: unknown = await response.json().catch(() => undefined)
  const { endpoint } = (body ?? {}) as { endpoint?: unknown }
  if (typeof endpoint === 'string') return endpoint
  throw new Error(`${url} is no service of npm start. For a deployed stage, leave --url out and use AWS credentials.`)
}
