import { errorCodes } from '../functions/http/error-codes.ts'
import { gatewayMessages } from './error-responses.ts'

/** docs/errors.md: every code with cause and remedy. */
export function errorReference(): string {
  const codes = Object.entries(errorCodes).map(
    ([code, { status, title, cause, remedy }]) =>
      `## ${code}\n\n**${status} ${title}**\n\n${cause}\n\n_What to do_: ${remedy}\n`,
  )
  const gateway = Object.entries(gatewayMessages).map(
    ([status, message]) => `| ${status} | \`{"message":"${message}"}\` |`,
  )
  return `<!-- Made by \`npm run openapi\` from functions/http/error-codes.ts. -->

# Errors

Every error of ours is \`application/problem+json\` (RFC 9457). Branch on \`code\`: titles and
details are for people and may change. \`errors\` lists what is wrong with the input.
\`requestId\` finds the request in our logs. The service serves this page at \`/docs/errors\`, where
the \`type\` of each problem points.

${codes.join('\n')}
## Errors of API Gateway

API Gateway refuses some requests before our code runs. Its answers have a fixed body, so every
error has \`message\`. It answers 401 to a request without an Authorization header. It answers 404
to an unknown path, and to a method that the path does not have.

| status | body |
| --- | --- |
${gateway.join('\n')}
`
}
