-- The schema of the state database by version. Versions are added, never changed. A statement ends with a semicolon at a line's end.

-- version 1
CREATE TABLE sessions (id TEXT PRIMARY KEY, used INTEGER NOT NULL, data TEXT NOT NULL);
CREATE TABLE messages (sequence INTEGER PRIMARY KEY, session_id TEXT NOT NULL, data TEXT NOT NULL);
CREATE INDEX messages_session ON messages (session_id);
CREATE TABLE journal (sequence INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT NOT NULL, execution_id TEXT NOT
  NULL, kind TEXT NOT NULL, time TEXT NOT NULL, data TEXT NOT NULL);
CREATE INDEX journal_execution ON journal (execution_id);
CREATE TABLE images (sha256 TEXT PRIMARY KEY, data BLOB NOT NULL);
CREATE TABLE questions (sequence INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, session_id TEXT NOT NULL, purpose TEXT
  NOT NULL, subject TEXT NOT NULL, status TEXT NOT NULL, is_used INTEGER NOT NULL DEFAULT 0, data TEXT NOT NULL);
CREATE INDEX questions_status ON questions (status);
CREATE INDEX questions_subject ON questions (session_id, purpose, subject);
CREATE TABLE approvals (path TEXT PRIMARY KEY, plan_id TEXT NOT NULL, hash TEXT NOT NULL, text TEXT NOT NULL, time
  TEXT NOT NULL);
CREATE TABLE trust (id INTEGER PRIMARY KEY CHECK (id = 1), fingerprint TEXT NOT NULL);
CREATE TABLE events (sequence INTEGER PRIMARY KEY, session_id TEXT NOT NULL, kind TEXT NOT NULL, time TEXT NOT NULL,
  data TEXT NOT NULL);
CREATE INDEX events_session ON events (session_id);

-- version 2
CREATE INDEX events_kind ON events (kind);
CREATE INDEX journal_kind ON journal (kind);

-- version 3
CREATE TABLE revisions (path TEXT NOT NULL, number INTEGER NOT NULL, plan_id TEXT NOT NULL, text TEXT NOT NULL, author
  TEXT NOT NULL, time TEXT NOT NULL, PRIMARY KEY (path, number));
CREATE TABLE pins (path TEXT PRIMARY KEY);

-- version 4
CREATE TABLE rules (sequence INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, allows TEXT NOT NULL UNIQUE, data TEXT NOT
  NULL);

-- version 5
-- Runs that were written down before they named their plan: its id stands in the front matter of its text.
UPDATE journal SET data = json_set(data, '$.plan_id', (WITH plan(rest) AS (SELECT substr(json_extract(data, '$.plan'),
  instr(json_extract(data, '$.plan'), char(10) || 'id:') + 4)) SELECT trim(substr(rest, 1, instr(rest, char(10)) - 1),
  ' ''"' || char(9) || char(13)) FROM plan)) WHERE kind = 'run_started' AND json_valid(data) AND
  instr(json_extract(data, '$.plan'), char(10) || 'id:');
DROP INDEX journal_execution;
CREATE INDEX journal_execution ON journal (execution_id, kind);
CREATE INDEX journal_begun ON journal (sequence, execution_id) WHERE kind = 'run_started';
CREATE INDEX journal_path ON journal (json_extract(data, '$.path')) WHERE kind = 'run_started' AND json_valid(data);
CREATE INDEX journal_plan ON journal (json_extract(data, '$.plan_id')) WHERE kind = 'run_started' AND
  json_valid(data);
CREATE INDEX sessions_used ON sessions (used);

-- version 6
CREATE TABLE doubtful (sha256 TEXT PRIMARY KEY, since INTEGER NOT NULL);
CREATE TABLE housekeeping (id INTEGER PRIMARY KEY CHECK (id = 1), looked INTEGER NOT NULL);

-- version 7
CREATE INDEX events_requests ON events (json_extract(data, '$.data.execution_id')) WHERE kind = 'model_called' AND
  json_valid(data);

-- version 8
-- Folders in which the user has worked before this was asked were trusted by that.
CREATE TABLE program_trust (id INTEGER PRIMARY KEY CHECK (id = 1), is_trusted INTEGER NOT NULL, source TEXT NOT NULL);
INSERT INTO program_trust SELECT 1, 1, 'used before' WHERE EXISTS (SELECT 1 FROM sessions) OR EXISTS (SELECT 1 FROM
  approvals) OR EXISTS (SELECT 1 FROM trust);

-- version 9
CREATE TABLE own_plans (path TEXT PRIMARY KEY, plan_id TEXT NOT NULL, hash TEXT NOT NULL, time TEXT NOT NULL);
INSERT INTO own_plans (path, plan_id, hash, time) SELECT path, plan_id, hash, time FROM approvals;

-- version 10
ALTER TABLE approvals ADD COLUMN implied_files TEXT NOT NULL DEFAULT '{}';

-- version 11
-- What was asked before this counts as told.
ALTER TABLE questions ADD COLUMN is_told INTEGER NOT NULL DEFAULT 1;
CREATE INDEX questions_untold ON questions (session_id) WHERE is_told = 0;

-- version 12
-- A run that pauses can go on as the same run.
DROP INDEX journal_begun;
CREATE INDEX journal_begun ON journal (sequence, execution_id, kind) WHERE kind IN ('run_started', 'run_resumed');

-- version 13
CREATE TABLE outputs (sequence INTEGER PRIMARY KEY, session_id TEXT NOT NULL, data BLOB NOT NULL);
CREATE INDEX outputs_session ON outputs (session_id);

-- version 14
-- Long runs ask with each step what was done in it before.
CREATE INDEX journal_steps ON journal (execution_id, coalesce(json_extract(data, '$.step_number'),
  json_extract(data, '$.step.step_number'))) WHERE kind IN ('step_started', 'step_finished', 'repair_started') AND
  json_valid(data);
