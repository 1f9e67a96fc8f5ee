// The embedded page. It gets its sessions from the page around it, at its start and whenever its token ends.
import { createClient } from '/client.js'

const { apiUrl, host } = document.documentElement.dataset
const at = (id) => document.getElementById(id)

/** Asks the page around this one, which asks its backend. Only a page of the host's origin is heard and answered. */
const newSession = () =>
  new Promise((resolve, reject) => {
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = ({ data }) =>
      typeof data === 'string' ? resolve(data) : reject(new Error('The host gives no session. Log in again.'))
    parent.postMessage('new session', host, [port2])
  })

const claimsOf = (token) => {
  const base64 = token.split('.')[1].replaceAll('-', '+').replaceAll('_', '/')
  return JSON.parse(new TextDecoder().decode(Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))))
}

let session
let shown

/** Shows what the end user can see, with a token that is good now. */
async function show(token) {
  const { jti, userProfile, embedTenantName } = claimsOf(token)
  at('who').textContent = `Workbooks of ${embedTenantName}, for ${userProfile?.displayName ?? 'a guest'}`
  if (shown !== undefined && shown !== jti) {
    const time = new Date().toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' })
    at('renewed').textContent = `Renewed at ${time}`
  }
  shown = jti
  const response = await fetch('/workbooks', { headers: { authorization: `Bearer ${token}` } })
  if (!response.ok) throw new Error(`The platform answered ${response.status}.`)
  const rows = (await response.json()).map(({ name }) =>
    Object.assign(document.createElement('li'), { textContent: name }),
  )
  at('workbooks').replaceChildren(...rows)
  at('problem').textContent = ''
}

const attempt = (ask) => async () => {
  try {
    await show(await ask())
  } catch (error) {
    at('problem').textContent = error.message
  }
}

const refresh = attempt(() => session.token())
at('refresh').onclick = refresh
at('renew').onclick = attempt(() => session.renew())
// `token()` renews what is about to end, so a page that is left open stays signed in.
setInterval(refresh, 60_000)

await attempt(async () => {
  session = await createClient({ baseUrl: apiUrl }).redeem(await newSession(), { newSession })
  return session.token()
})()
