import { spawnSync } from 'node:child_process'

/** A Python that has PyJWT, if there is one. */
export const python = ['python3', '/usr/bin/python3'].find(
  (command) => spawnSync(command, ['-c', 'import jwt, cryptography']).status === 0,
)

export const withoutPython =
  'There is no Python with PyJWT here. pip install "pyjwt[crypto]" installs it.'
