import { verb } from './command.ts'
import { type Terminal, UsageError } from './terminal.ts'

export const start = (terminal: Terminal) =>
  verb(
    'start',
    'Serves the API on this machine, with an embedded DynamoDB engine and a demo catalog.',
    {
      examples: [
        'npm start',
        'npx embed-access start --catalog mine/catalog.ndjson --data mine/data --watch',
      ],
      more: `Environment:
  DYNAMODB_ENDPOINT   use the engine at this address instead of the embedded one`,
    },
  )
    .option('--port <port>', 'where to listen (default: $PORT, else 8787; 0: any free port)')
    .option(
      '--data <dir>',
      'keep the tables in this directory (default: in memory). The demo is not loaded if it ' +
        'has a catalog. Only you may open it (mode 700), because private keys are in it. But ' +
        'while it is served, every user of this machine can read them at the port',
    )
    .option(
      '--catalog <file>',
      'load this file, one catalog change per line, gzipped or not, instead of the demo. If a ' +
        'line is not valid, nothing is written or served. The directory of --data keeps the ' +
        'digest of the file: it is loaded again if it has changed',
    )
    .option(
      '--watch',
      'load the file again whenever it is saved, and say which lines can’t be applied. To ' +
        'change a thing, raise its revision. A line that is gone deletes nothing: write a change ' +
        'with "op": "delete"',
    )
    .option(
      '--cors-origin <origins...>',
      'the origins whose pages may redeem sessions (default: all of them)',
    )
    .action(async ({ port, ...options }) => {
      if (options.watch && options.catalog === undefined)
        throw new UsageError('--watch needs --catalog FILE.')
      const { isOrigin } = await import('../stacks/settings.ts')
      const wrong = options.corsOrigin?.find((origin) => !isOrigin(origin))
      if (wrong !== undefined)
        throw new UsageError(`${wrong} is not an origin. It must be like https://app.example.com.`)
      const number = portFrom(port ?? (terminal.env.PORT || '8787'))
      // The server and its engine load only where they run.
      const { freePort } = await import('../local/engine.ts')
      const { serve } = await import('./start/serve.ts')
      terminal.endsItself = true
      await serve(number === 0 ? await freePort() : number, options, terminal)
    })

function portFrom(text: string): number {
  const port = Number(text)
  if (/^\d+$/.test(text) && port <= 65_535) return port
  throw new UsageError(`${text} is not a port. It must be from 0 to 65535.`)
}
