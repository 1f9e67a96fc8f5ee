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

/** The arguments are not right. */
class WrongArgument extends Error {}

try {
  await start()
} catch (error) {
  const { message, code } = error as NodeJS.ErrnoException
  const isArgument = error instanceof WrongArgument || code?.startsWith('ERR_PARSE_ARGS')
  console.error(isArgument ? `${message}\n\n${help}` : message)
  process.exit(isArgument ? 2 : 1)
}

async function start(): Promise<void> {
  const { values } = parseArgs({
    options: {
      port: { type: 'string', default: '3000' },
      only: { type: 'string' },
      help: { type: 'boolean' },
    },
  })
  if (values.help) return void process.stdout.write(help)
  const port = Number(values.port)
  if (!/^[1-9]\d*$/.test(values.port) || port > 65_534)
    throw new WrongArgument(`--port must be a number from 1 to 65534, not ${values.port}.`)
  if (values.only !== undefined && values.only !== 'platform')
    throw new WrongArgument(`--only takes platform alone, not ${values.only}.`)

  const {
    API_URL: apiUrl = 'http://127.0.0.1:8787',
    API_KEY: apiKey = 'sk-demo-harborline-admin',
  } = process.env
  const [host, embedded] = [port, port + 1].map((each) => `http://127.0.0.1:${each}`) as [
    string,
    string,
  ]
  await listen(port + 1, platform({ apiUrl, host }))
  if (values.only === undefined) {
    await listen(port, hostApplication({ apiUrl, apiKey, origin: host, embedded }))
    console.log(`The host application is at ${host}, and the page that it embeds at ${embedded}.`)
  } else {
    console.log(`The embedded page is at ${embedded}, for a host application at ${host}.`)
  }
}
