// The page around the embedded one. It hands session ids to that page, and to no other.
const embedded = document.querySelector('iframe')
const { origin: expected } = new URL(embedded.src)

addEventListener('message', async ({ source, origin, data, ports: [port] }) => {
  if (source !== embedded.contentWindow || origin !== expected || data !== 'new session') return
  const response = await fetch('/session', { method: 'POST' }).catch(() => undefined)
  port.postMessage(response?.ok ? (await response.json()).sessionId : null)
})
