import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export type Certificate = { readonly key: Buffer; readonly cert: Buffer; readonly file: string }

/** Makes a certificate for this machine, with the program openssl. */
export function certificateIn(place: string): Certificate {
  const [key, file] = [join(place, 'key.pem'), join(place, 'certificate.pem')]
  const kind = '-x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 1'.split(' ')
  const name = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=IP:127.0.0.1']
  execFileSync('openssl', ['req', ...kind, ...name, '-keyout', key, '-out', file], {
    stdio: 'ignore',
  })
  return { key: readFileSync(key), cert: readFileSync(file), file }
}
