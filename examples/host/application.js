// The page around the embedded one. It gives session ids to that page, and to no other.
import { serveSessions } from '/client.js'

const iframe = document.querySelector('iframe')

async function newSession() {
  const response = await fetch('/session', { method: 'POST' })
  if (!response.ok) throw new Error(`Our backend answered ${response.status}.`)
  return (await response.json()).sessionId
}

serveSessions(iframe, { origin: new URL(iframe.src).origin, newSession })
