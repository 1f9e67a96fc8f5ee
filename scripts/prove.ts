import { startChosen } from './chosen.ts'

/* What takes longer than `npm test`, or more than Node: `npm run prove -- NAME`. */
await startChosen('npm run prove', {
  aws: [
    "the deployment against AWS's own descriptions; needs Python, Go and jq",
    () => import('../test/aws/run.ts'),
  ],
  browser: ['playground and reference in Chromium', () => import('../test/browser/run.ts')],
  clients: [
    'clients that generators make from the document; needs Python',
    () => import('../test/clients/clients.ts'),
  ],
  'dynamodb-local': [
    "the tests against AWS's DynamoDB Local; needs Java",
    () => import('../test/engine/dynamodb-local.ts'),
  ],
  fuzz: [
    'requests that are generated from the document; needs Python',
    () => import('../test/fuzz/fuzz.ts'),
  ],
  lambda: [
    "the bundles under AWS's Runtime Interface Emulator; needs Linux, Python, cmake and C++",
    () => import('../test/lambda/run.ts'),
  ],
  mutants: [
    'whether the tests notice mistakes made on purpose',
    () => import('../test/mutants/mutants.ts'),
  ],
  newcomer: [
    'the README and the first pages of docs, as a newcomer follows them; needs git, curl and jq',
    () => import('../test/newcomer/newcomer.ts'),
  ],
  published: [
    "the document against the platform's current API; npm test does so too",
    () => import('../test/contract/run-published.ts'),
  ],
  simulate: [
    'catalog and revocations over a database that lags, throttles and loses',
    () => import('../test/simulation/simulate.ts'),
  ],
  soak: [
    'mixed traffic against a local server: answers, memory, sockets',
    () => import('../test/soak/soak.ts'),
  ],
})
