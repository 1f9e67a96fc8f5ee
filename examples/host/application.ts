import { randomBytes } from 'node:crypto'
import { createClient } from '@embed-access/client/server'
import { clientFile, file, json, page, type Request, type Site } from './web.ts'

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
}): Site {
  const { apiUrl, apiKey, origin, embedded } = settings
  const api = createClient({ baseUrl: apiUrl, token: apiKey })
  const logins = new Map<string, Login>()

  const idIn = ({ headers }: Request) =>
    /(?:^|; )login=([\w-]+)/.exec(headers.cookie ?? '')?.[1] ?? ''
  const loginOf = (request: Request) => logins.get(idIn(request))

  /** A page of another origin could send a form with the cookie. It can't send our origin. */
  const isOurs = ({ headers }: Request) => headers.origin === origin

  const toStart = (cookie: string) => ({
    status: 303,
    headers: { location: '/', 'set-cookie': cookie },
  })
  const cookie = (value: string, seconds: number) =>
    `login=${value}; HttpOnly; SameSite=Lax; Path=/; Max-Age=${seconds}`

  return {
    policy:
      `default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src ` +
      `'self'; frame-src ${embedded}; form-action 'self'; base-uri 'none'; frame-ancestors ` +
      `'none'`,
    routes: {
      'GET /': (request) => {
        const login = loginOf(request)
        if (!login) return page('login.html', {})
        return page('application.html', { name: people[login.person]?.name ?? '', embedded })
      },
      'POST /login': (request) => {
        const person = request.form.get('person') ?? ''
        if (!isOurs(request) || !Object.hasOwn(people, person)) return { status: 403 }
        const id = randomBytes(32).toString('base64url')
        logins.set(id, { person, sessionIds: [] })
        return toStart(cookie(id, 8 * 3600))
      },
      // The embedded page asks for a session at its start, and before its token ends. Each time the
      // login is checked.
      'POST /session': async (request) => {
        const login = loginOf(request)
        const person = login && people[login.person]
        if (!isOurs(request) || !person) return { status: 403 }
        const { sessionId } = await api.generateSession({
          deploymentId: 1001,
          embedTenantName: person.embedTenantName,
          externalId: login.person,
          userProfile: { displayName: person.name },
        })
        if (loginOf(request) !== login) {
          // The person has logged out meanwhile.
          await api.revokeSession({ sessionId })
          return { status: 403 }
        }
        login.sessionIds.push(sessionId)
        return json({ sessionId })
      },
      'POST /logout': async (request) => {
        if (!isOurs(request)) return { status: 403 }
        const login = loginOf(request)
        logins.delete(idIn(request))
        await Promise.all(
          (login?.sessionIds ?? []).map((sessionId) => api.revokeSession({ sessionId })),
        )
        return toStart(cookie('', 0))
      },
      'GET /embed-frame.js': clientFile('embed-frame'),
      'GET /style.css': file('style.css'),
      'GET /icon.svg': file('icon.svg'),
    },
  }
}
