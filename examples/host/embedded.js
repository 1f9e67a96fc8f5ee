// The embedded page. session.js has its session.
import { reportHeight } from './embed-frame.js'

const at = (id) => document.getElementById(id)

const claimsOf = (token) => {
  const base64 = token.split('.')[1].replaceAll('-', '+').replaceAll('_', '/')
  return JSON.parse(
    new TextDecoder().decode(Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))),
  )
}

let session
let shown

/** Shows what the end user can see, with a token that is good now. */
async function show(token, isAgain = false) {
  const { jti, userProfile, externalId, embedTenantName = 'no embed tenant' } = claimsOf(token)
  const name = userProfile?.displayName ?? externalId ?? 'a guest'
  at('who').textContent = `Workbooks of ${embedTenantName}, for ${name}`
  if (shown !== undefined && shown !== jti) {
    const time = new Date().toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' })
    at('renewed').textContent = `Renewed at ${time}`
  }
  shown = jti
  const response = await fetch('workbooks', { headers: { authorization: `Bearer ${token}` } })
  if (response.status === 401 && !isAgain) return show(await session.renew(token), true)
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

at('refresh').onclick = attempt(() => session.token())
at('renew').onclick = attempt(() => session.renew())

reportHeight({ origins: [document.documentElement.dataset.host] })
addEventListener('expiring', () => {
  at('renewed').textContent = 'You are about to be logged out. Log in again.'
})

await attempt(async () => {
  session = (await import('./session.js')).session
  for (const id of ['refresh', 'renew']) at(id).disabled = false
  return session.token()
})()
