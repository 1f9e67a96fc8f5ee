import { parseArgs } from 'node:util'
import { hostApplication } from './application.ts'
import { platform } from './platform.ts'
import { listen } from './web.ts'

const help = `Usage: npm run example -- [--port N] [--only platform]

Starts a host application, and the platform whose page it embeds, on two origins of this machine.
The service is that of npm start, or that of API_URL, with API_KEY.

  --port N          the port of the host application (default 3000); the platform has the next one
  --only platform   leaves the host application to another program, such as
                    python3 examples/host/application.py
  --help            show this
`

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '3000' },
    only: { type: 'string' },
    help: { type: 'boolean' },
  },
})

if (values.help) {
  process.stdout.write(help)
} else if (!/^\d{1,5}$/.test(values.port) || (values.only ?? 'platform') !== 'platform') {
  process.stderr.write(help)
  process.exitCode = 2
} else {
  const {
    API_URL: apiUrl = 'http://127.0.0.1:8787',
    API_KEY: apiKey = 'sk-demo-harborline-admin',
  } = process.env
  const port = Number(values.port)
  const [host, embedded] = [port, port + 1].map((each) => `http://127.0.0.1:${each}`) as [
    string,
    string,
  ]
  try {
    await listen(port + 1, platform({ apiUrl, host }))
    if (values.only === undefined) {
      await listen(port, hostApplication({ apiUrl, apiKey, origin: host, embedded }))
      console.log(`The host application is at ${host}, and the page that it embeds at ${embedded}.`)
    } else {
      console.log(`The embedded page is at ${embedded}, for a host application at ${host}.`)
    }
  } catch (error) {
    console.error((error as Error).message)
    process.exit(1)
  }
}
