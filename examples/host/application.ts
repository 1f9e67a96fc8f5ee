import { randomBytes } from 'node:crypto'
import { createClient } from '@embed-access/client/server'
import type { Context, Hono } from 'hono'
import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import { page, site } from './web.ts'

/**
 * The people who can log in. A real host asks for a password. Where they belong comes from its own
 * data, never from a request.
 */
const people: Readonly<
  Record<string, { readonly name: string; readonly embedTenantName: string }>
> = {
  mara: { name: 'Mara Lindgren', embedTenantName: 'alder-oak' },
  jon: { name: 'Jon Bergström', embedTenantName: 'fjordhus' },
}

type Login = { readonly person: string; readonly sessionIds: string[] }

/**
 * The host application: its backend knows who is logged in, holds the API key and makes sessions.
 * Its page embeds that of the platform, and hands it session ids.
 */
export function hostApplication(settings: {
  readonly apiUrl: string
  readonly apiKey: string
  readonly origin: string
  readonly embedded: string
}): Hono {
  const { apiUrl, apiKey, origin, embedded } = settings
  const api = createClient({ baseUrl: apiUrl, token: apiKey })
  const logins = new Map<string, Login>()
  const app = site(
    "connect-src 'self'",
    `frame-src ${embedded}`,
    "form-action 'self'",
    "frame-ancestors 'none'",
  )

  const loginOf = (context: Context) => logins.get(getCookie(context, 'login') ?? '')

  /**
   * Nobody can use the sessions of a login that has ended. If one of them is not revoked, the login
   * stays, so that the person can log out again.
   */
  async function endLogin(context: Context): Promise<void> {
    let failure: unknown
    // The loop also comes to sessions that are made meanwhile.
    for (const sessionId of loginOf(context)?.sessionIds ?? [])
      await api.revokeSession({ sessionId }).catch((error) => {
        failure = error
      })
    if (failure) throw failure
    logins.delete(getCookie(context, 'login') ?? '')
  }

  // A page of another origin could send a form with the cookie. It can't send our origin.
  app.post('*', async ({ req, body }, next) =>
    req.header('origin') === origin ? next() : body(null, 403),
  )

  app.get('/', async (context) => {
    const login = loginOf(context)
    if (!login) return context.html(await page('login.html'))
    const name = people[login.person]?.name ?? ''
    return context.html(await page('application.html', { name, embedded }))
  })

  app.post('/login', async (context) => {
    const { person } = await context.req.parseBody()
    if (typeof person !== 'string' || !Object.hasOwn(people, person)) return context.body(null, 403)
    // The new cookie takes the place of one that another tab may have.
    await endLogin(context)
    const id = randomBytes(32).toString('base64url')
    logins.set(id, { person, sessionIds: [] })
    setCookie(context, 'login', id, { httpOnly: true, sameSite: 'Lax', maxAge: 8 * 3600 })
    return context.redirect('/', 303)
  })

  // The embedded page asks for a session at its start, and before its token ends. Each time the
  // login is checked.
  app.post('/session', async (context) => {
    const login = loginOf(context)
    const person = login && people[login.person]
    if (!person) return context.body(null, 403)
    const { sessionId } = await api.generateSession({
      deploymentId: 1001,
      embedTenantName: person.embedTenantName,
      externalId: login.person,
      userProfile: { displayName: person.name },
    })
    if (loginOf(context) !== login) {
      // The person has logged out meanwhile.
      await api.revokeSession({ sessionId })
      return context.body(null, 403)
    }
    login.sessionIds.push(sessionId)
    return context.json({ sessionId })
  })

  app.post('/logout', async (context) => {
    await endLogin(context)
    deleteCookie(context, 'login')
    return context.redirect('/', 303)
  })
  return app
}
