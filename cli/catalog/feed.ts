import { printable, quoted } from '@embed-access/core/catalog/quoted.ts'
import { queueFrom } from './queue.ts'
import { sendFile } from './send.ts'

type Answer = { readonly isFine: boolean; readonly lines: readonly string[] }

/** What is done with the queue of catalog changes. Each throws an Error with a plain sentence for wrong arguments. */
export const feed = {
  async send(files: readonly string[]): Promise<Answer> {
    const [file, ...more] = files
    if (file === undefined || more.length > 0) throw new Error('send needs one file. See npm run catalog -- --help.')
    const { sent, tooLarge, withoutRevision } = await sendFile(queueFrom(process.env), file)
    const order = `${withoutRevision} without a revision: of two such changes of one thing either may win`
    return {
      isFine: tooLarge === 0,
      lines: [`sent ${sent}, too large ${tooLarge}`, ...(withoutRevision > 0 ? [order] : [])],
    }
  },

  /** Each change with the reason why it was not applied. */
  async dead(files: readonly string[]): Promise<Answer> {
    requireNone('dead', files)
    const letters = await Array.fromAsync(queueFrom(process.env).deadLetters())
    const lines = letters.flatMap(({ body, reason }) => [
      `# ${printable(reason ?? 'failed too often, or at once')}`,
      ...shown(body),
    ])
    return { isFine: letters.length === 0, lines: letters.length === 0 ? ['No change is dead.'] : lines }
  },

  async redrive(files: readonly string[]): Promise<Answer> {
    requireNone('redrive', files)
    return { isFine: true, lines: [`sent ${await queueFrom(process.env).redrive()} again`] }
  },
}

/** The changes of a dead letter as they are, on a line each; what is no JSON as the JSON of its text. */
function shown(body: string): string[] {
  // Between the tokens of JSON tabs are possible, and within them they are not.
  const lines = body.split('\n').map((line) => line.replaceAll(/[\t\r]/g, ' '))
  return lines.every(isJson) ? lines.map(printable) : [quoted(body)]
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

function requireNone(verb: string, files: readonly string[]): void {
  if (files.length > 0) throw new Error(`${verb} takes no file. See npm run catalog -- --help.`)
}
