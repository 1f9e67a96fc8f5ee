-- A transactional outbox for PostgreSQL, tried by hand with the publisher beside it in PostgreSQL 18 (PGlite 0.5.17).

-- The platform's own table. Each update counts its version, which is the revision of the change.
CREATE TABLE folders (
  deployment_id BIGINT  NOT NULL,
  id            BIGINT  NOT NULL,
  name          TEXT    NOT NULL,
  parent_id     BIGINT,
  version       BIGINT  NOT NULL DEFAULT 1,
  deleted       BOOLEAN NOT NULL DEFAULT FALSE, -- the row stays, so its version goes on
  PRIMARY KEY (deployment_id, id)
);

-- What is still to be sent. A row is written in the transaction that changes the data: both are done, or none.
CREATE TABLE outbox (
  id      BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  change  TEXT   NOT NULL
);
