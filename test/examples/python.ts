import { spawnSync } from 'node:child_process'

/** A Python that has a PyJWT with what examples/verifier.py uses, if there is one. */
export const python = ['python3', '/usr/bin/python3'].find(
  (command) =>
    spawnSync(command, [
      '-c',
      'import jwt, cryptography; jwt.PyJWKClient("http://any", cooldown_duration=30)',
    ]).status === 0,
)

export const withoutPython =
  'There is no Python with PyJWT here: pip install -r examples/requirements.txt'
