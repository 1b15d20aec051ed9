-- What release 0.1.0 wrote: two results, three labels. Never edit: it stands for people's files.
BEGIN TRANSACTION;
CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
INSERT INTO "alembic_version" VALUES('0001');
CREATE TABLE fingerprints (
	id VARCHAR(16) NOT NULL, 
	profile TEXT NOT NULL, 
	profile_hash TEXT NOT NULL, 
	encoder TEXT NOT NULL, 
	weights_hash TEXT NOT NULL, 
	backend TEXT NOT NULL, 
	precision TEXT NOT NULL, 
	runtime_version TEXT NOT NULL, 
	package_version TEXT NOT NULL, 
	CONSTRAINT pk_fingerprints PRIMARY KEY (id)
);
INSERT INTO "fingerprints" VALUES('43076149c34f674c','default','p1','minilm','w1','onnx','fp32','1.0','0.1.0');
CREATE TABLE labels (
	id INTEGER NOT NULL, 
	result_id INTEGER NOT NULL, 
	reviewer_id INTEGER NOT NULL, 
	verdict TEXT NOT NULL, 
	failure_type TEXT, 
	note TEXT DEFAULT '' NOT NULL, 
	created_at VARCHAR(26) NOT NULL, 
	supersedes INTEGER, 
	client_token TEXT, 
	seen TEXT DEFAULT 'all' NOT NULL, 
	CONSTRAINT pk_labels PRIMARY KEY (id), 
	CONSTRAINT ck_labels_verdict CHECK (verdict IN ('accept', 'reject', 'unsure')), 
	CONSTRAINT fk_labels_result_id FOREIGN KEY(result_id) REFERENCES results (id), 
	CONSTRAINT fk_labels_reviewer_id FOREIGN KEY(reviewer_id) REFERENCES reviewers (id), 
	CONSTRAINT fk_labels_supersedes FOREIGN KEY(supersedes, result_id, reviewer_id) REFERENCES labels (id, result_id, reviewer_id), 
	CONSTRAINT uq_labels_client_token UNIQUE (client_token), 
	CONSTRAINT uq_labels_id_result_id_reviewer_id UNIQUE (id, result_id, reviewer_id), 
	CONSTRAINT uq_labels_supersedes UNIQUE (supersedes)
);
INSERT INTO "labels" VALUES(1,1,1,'accept',NULL,'it''s fine','2025-06-02 12:00:00.000000',NULL,'t1','all');
INSERT INTO "labels" VALUES(2,1,1,'reject',NULL,'','2025-06-02 12:00:00.000000',1,NULL,'all');
INSERT INTO "labels" VALUES(3,2,2,'unsure','fabrication','','2025-06-02 12:00:00.000000',NULL,NULL,'all');
CREATE TABLE result_counts (
	bucket VARCHAR(16) NOT NULL, 
	run_id INTEGER NOT NULL, 
	decision VARCHAR(6) NOT NULL, 
	failure_type TEXT NOT NULL, 
	n INTEGER NOT NULL, 
	CONSTRAINT pk_result_counts PRIMARY KEY (bucket, run_id, decision, failure_type), 
	CONSTRAINT ck_result_counts_decision CHECK (decision IN ('ACCEPT', 'REVIEW', 'REJECT')), 
	CONSTRAINT ck_result_counts_n_positive CHECK (n > 0), 
	CONSTRAINT fk_result_counts_run_id FOREIGN KEY(run_id) REFERENCES runs (id)
)
 WITHOUT ROWID

;
INSERT INTO "result_counts" VALUES('2025-06-02 12:00',1,'REJECT','fabrication',1);
INSERT INTO "result_counts" VALUES('2025-06-02 12:00',1,'REVIEW','low_attribution',1);
CREATE TABLE result_documents (
	result_id INTEGER NOT NULL, 
	document TEXT NOT NULL, 
	CONSTRAINT pk_result_documents PRIMARY KEY (result_id), 
	CONSTRAINT fk_result_documents_result_id FOREIGN KEY(result_id) REFERENCES results (id)
);
INSERT INTO "result_documents" VALUES(1,'{"schema_version":1,"sample_id":"pump","content_hash":"cf759cd044d1dd3fdf6598d27f0fc7ee747fb898e875194a3c58040abc2e2682","decision":"REVIEW","confidence_pct":40,"failure_type":"low_attribution","hallucination_status":"suspected","next_action":"human_review","action_why":"Support is low.","rule_id":"weak_support","states":["refusal"],"scores":{"final":0.4,"attribution":0.31},"score_notes":{},"explanations":{"reason":"The answer rests on little.","low_confidence_sentences":["The pump is fused. It hums."]},"sentences":[{"index":0,"start":0,"end":27,"text":"The pump is fused. It hums.","support":0.25,"status":"low_confidence","reason":null,"evidence":[{"passage":0,"start":0,"end":4,"text":"Fuse","score":0.25}]}],"warnings":["cut at 256 tokens"],"fingerprint":{"id":"43076149c34f674c","profile":"default","profile_hash":"p1","encoder":"minilm","weights_hash":"w1","backend":"onnx","precision":"fp32","runtime_version":"1.0","package_version":"0.1.0"},"meta":{"passed":false,"needs_review":true,"used_llm_judge":false,"latency_ms":12.5}}');
INSERT INTO "result_documents" VALUES(2,'{"schema_version":1,"sample_id":"насос","content_hash":"ead857be7235e7c57f1d687c5b1998a2e6fcc395baab3fa4c9f9412a19ac06bd","decision":"REJECT","confidence_pct":40,"failure_type":"fabrication","hallucination_status":"suspected","next_action":"human_review","action_why":"Support is low.","rule_id":"weak_support","states":["refusal"],"scores":{"final":0.1,"attribution":0.31},"score_notes":{},"explanations":{"reason":"The answer rests on little.","low_confidence_sentences":["The pump is fused. It hums."]},"sentences":[{"index":0,"start":0,"end":27,"text":"The pump is fused. It hums.","support":0.25,"status":"low_confidence","reason":null,"evidence":[{"passage":0,"start":0,"end":4,"text":"Fuse","score":0.25}]}],"warnings":["cut at 256 tokens"],"fingerprint":{"id":"43076149c34f674c","profile":"default","profile_hash":"p1","encoder":"minilm","weights_hash":"w1","backend":"onnx","precision":"fp32","runtime_version":"1.0","package_version":"0.1.0"},"meta":{"passed":false,"needs_review":true,"used_llm_judge":false,"latency_ms":12.5}}');
CREATE TABLE results (
	id INTEGER NOT NULL, 
	sample_id INTEGER NOT NULL, 
	fingerprint_id VARCHAR(16) NOT NULL, 
	run_id INTEGER NOT NULL, 
	decision VARCHAR(6) NOT NULL, 
	rule_id TEXT NOT NULL, 
	failure_type TEXT NOT NULL, 
	hallucination_status TEXT NOT NULL, 
	next_action TEXT NOT NULL, 
	reason TEXT NOT NULL, 
	confidence_pct INTEGER, 
	final FLOAT, 
	attribution FLOAT, 
	specificity FLOAT, 
	faithfulness FLOAT, 
	relevance FLOAT, 
	context_quality FLOAT, 
	consistency FLOAT, 
	disagreement FLOAT, 
	risk FLOAT NOT NULL, 
	passed BOOLEAN, 
	states TEXT NOT NULL, 
	language TEXT, 
	n_sentences INTEGER NOT NULL, 
	n_low INTEGER NOT NULL, 
	latency_ms FLOAT NOT NULL, 
	created_at VARCHAR(26) NOT NULL, 
	created_day VARCHAR(10) NOT NULL, 
	CONSTRAINT pk_results PRIMARY KEY (id), 
	CONSTRAINT ck_results_decision CHECK (decision IN ('ACCEPT', 'REVIEW', 'REJECT')), 
	CONSTRAINT ck_results_hallucination_status CHECK (hallucination_status IN ('none', 'suspected', 'confirmed')), 
	CONSTRAINT ck_results_confidence_pct_is_a_percentage CHECK (confidence_pct BETWEEN 0 AND 100), 
	CONSTRAINT ck_results_n_low_within_n_sentences CHECK (n_low BETWEEN 0 AND n_sentences), 
	CONSTRAINT ck_results_risk_in_unit_interval CHECK (risk BETWEEN 0 AND 1), 
	CONSTRAINT ck_results_created_day_is_of_created_at CHECK (substr(created_at, 1, 10) = created_day), 
	CONSTRAINT fk_results_fingerprint_id FOREIGN KEY(fingerprint_id) REFERENCES fingerprints (id), 
	CONSTRAINT fk_results_run_id FOREIGN KEY(run_id) REFERENCES runs (id), 
	CONSTRAINT fk_results_sample_id FOREIGN KEY(sample_id) REFERENCES samples (id), 
	CONSTRAINT uq_results_sample_id_fingerprint_id UNIQUE (sample_id, fingerprint_id)
);
INSERT INTO "results" VALUES(1,1,'43076149c34f674c',1,'REVIEW','weak_support','low_attribution','suspected','human_review','The answer rests on little.',40,0.4,0.31,NULL,NULL,NULL,NULL,NULL,NULL,0.6,0,'["refusal"]',NULL,1,1,12.5,'2025-06-02 12:00:00.000000','2025-06-02');
INSERT INTO "results" VALUES(2,2,'43076149c34f674c',1,'REJECT','weak_support','fabrication','suspected','human_review','The answer rests on little.',40,0.1,0.31,NULL,NULL,NULL,NULL,NULL,NULL,0.9,0,'["refusal"]','ru',1,1,12.5,'2025-06-02 12:00:00.000000','2025-06-02');
CREATE TABLE reviewers (
	id INTEGER NOT NULL, 
	name VARCHAR(80) NOT NULL, 
	name_key TEXT NOT NULL, 
	role TEXT NOT NULL, 
	created_at VARCHAR(26) NOT NULL, 
	CONSTRAINT pk_reviewers PRIMARY KEY (id), 
	CONSTRAINT ck_reviewers_name_not_blank CHECK (name <> '' AND name_key <> ''), 
	CONSTRAINT ck_reviewers_role CHECK (role IN ('reviewer', 'lead')), 
	CONSTRAINT uq_reviewers_name_key UNIQUE (name_key)
);
INSERT INTO "reviewers" VALUES(1,'Ada','ada','reviewer','2025-06-02 12:00:00.000000');
INSERT INTO "reviewers" VALUES(2,'Борис','борис','lead','2025-06-02 12:00:00.000000');
CREATE TABLE run_results (
	run_id INTEGER NOT NULL, 
	result_id INTEGER NOT NULL, 
	decision VARCHAR(6) NOT NULL, 
	failure_type TEXT NOT NULL, 
	created_day VARCHAR(10) NOT NULL, 
	risk FLOAT NOT NULL, 
	CONSTRAINT pk_run_results PRIMARY KEY (run_id, result_id), 
	CONSTRAINT ck_run_results_decision CHECK (decision IN ('ACCEPT', 'REVIEW', 'REJECT')), 
	CONSTRAINT ck_run_results_risk_in_unit_interval CHECK (risk BETWEEN 0 AND 1), 
	CONSTRAINT fk_run_results_result_id FOREIGN KEY(result_id) REFERENCES results (id), 
	CONSTRAINT fk_run_results_run_id FOREIGN KEY(run_id) REFERENCES runs (id)
)
 WITHOUT ROWID

;
INSERT INTO "run_results" VALUES(1,2,'REJECT','fabrication','2025-06-02',0.9);
INSERT INTO "run_results" VALUES(1,1,'REVIEW','low_attribution','2025-06-02',0.6);
CREATE TABLE runs (
	id INTEGER NOT NULL, 
	"key" TEXT NOT NULL, 
	name TEXT NOT NULL, 
	source TEXT NOT NULL, 
	source_hash TEXT, 
	system TEXT NOT NULL, 
	prompt_version TEXT NOT NULL, 
	model TEXT, 
	profile TEXT NOT NULL, 
	fingerprint_id VARCHAR(16) NOT NULL, 
	started_at VARCHAR(26) NOT NULL, 
	finished_at VARCHAR(26), 
	n_rows INTEGER DEFAULT 0 NOT NULL, 
	n_stored INTEGER DEFAULT 0 NOT NULL, 
	n_existing INTEGER DEFAULT 0 NOT NULL, 
	n_failed INTEGER DEFAULT 0 NOT NULL, 
	CONSTRAINT pk_runs PRIMARY KEY (id), 
	CONSTRAINT ck_runs_counts_not_negative CHECK (n_rows >= 0 AND n_stored >= 0 AND n_existing >= 0 AND n_failed >= 0), 
	CONSTRAINT fk_runs_fingerprint_id FOREIGN KEY(fingerprint_id) REFERENCES fingerprints (id), 
	CONSTRAINT uq_runs_key UNIQUE ("key")
);
INSERT INTO "runs" VALUES(1,'r1','r1','f.jsonl',NULL,'','',NULL,'default','43076149c34f674c','2025-06-02 12:00:00.000000',NULL,0,0,0,0);
CREATE TABLE samples (
	id INTEGER NOT NULL, 
	external_id TEXT NOT NULL, 
	content_hash VARCHAR(64) NOT NULL, 
	"query" TEXT NOT NULL, 
	contexts TEXT NOT NULL, 
	response TEXT NOT NULL, 
	reference TEXT, 
	metadata TEXT NOT NULL, 
	created_at VARCHAR(26) NOT NULL, 
	CONSTRAINT pk_samples PRIMARY KEY (id), 
	CONSTRAINT uq_samples_external_id_content_hash UNIQUE (external_id, content_hash)
);
INSERT INTO "samples" VALUES(1,'pump','cf759cd044d1dd3fdf6598d27f0fc7ee747fb898e875194a3c58040abc2e2682','Which fuse?','["Fuse F3 guards the pump.","Pumps hum."]','The pump is fused. It hums.',NULL,'{}','2025-06-02 12:00:00.000000');
INSERT INTO "samples" VALUES(2,'насос','ead857be7235e7c57f1d687c5b1998a2e6fcc395baab3fa4c9f9412a19ac06bd','Какой предохранитель?','["Fuse F3 guards the pump.","Pumps hum."]','The pump is fused. It hums.',NULL,'{"language":"ru"}','2025-06-02 12:00:00.000000');
CREATE TABLE sentences (
	result_id INTEGER NOT NULL, 
	idx INTEGER NOT NULL, 
	start INTEGER NOT NULL, 
	"end" INTEGER NOT NULL, 
	text TEXT NOT NULL, 
	support FLOAT, 
	status TEXT NOT NULL, 
	n_evidence INTEGER NOT NULL, 
	CONSTRAINT pk_sentences PRIMARY KEY (result_id, idx), 
	CONSTRAINT ck_sentences_status CHECK (status IN ('supported', 'low_confidence', 'unmeasured')), 
	CONSTRAINT ck_sentences_n_evidence_not_negative CHECK (n_evidence >= 0), 
	CONSTRAINT ck_sentences_span CHECK (start >= 0 AND "end" >= start), 
	CONSTRAINT ck_sentences_support_in_unit_interval CHECK (support BETWEEN 0 AND 1), 
	CONSTRAINT fk_sentences_result_id FOREIGN KEY(result_id) REFERENCES results (id)
)
 WITHOUT ROWID

;
INSERT INTO "sentences" VALUES(1,0,0,27,'The pump is fused. It hums.',0.25,'low_confidence',1);
INSERT INTO "sentences" VALUES(2,0,0,27,'The pump is fused. It hums.',0.25,'low_confidence',1);
CREATE INDEX ix_runs_started_at ON runs (started_at);
CREATE INDEX ix_result_counts_run_id ON result_counts (run_id, bucket);
CREATE INDEX ix_result_counts_day ON result_counts (decision, bucket, run_id, n);
CREATE INDEX ix_result_counts_total ON result_counts (decision, failure_type, run_id, n);
CREATE INDEX ix_results_failure_newest ON results (decision, failure_type, created_day, risk, id);
CREATE INDEX ix_results_newest ON results (decision, created_day, risk, id);
CREATE INDEX ix_results_riskiest ON results (decision, risk, id, failure_type);
CREATE INDEX ix_labels_result_id ON labels (result_id, reviewer_id);
CREATE INDEX ix_labels_reviewer_id ON labels (reviewer_id, result_id);
CREATE UNIQUE INDEX uq_labels_first ON labels (result_id, reviewer_id) WHERE supersedes IS NULL;
CREATE INDEX ix_run_results_newest ON run_results (run_id, decision, created_day, risk, result_id, failure_type);
CREATE INDEX ix_run_results_result_id ON run_results (result_id);
CREATE INDEX ix_run_results_riskiest ON run_results (run_id, decision, risk, result_id, failure_type);
CREATE TRIGGER labels_no_update BEFORE UPDATE ON labels BEGIN SELECT RAISE(ABORT, 'labels is append-only'); END;
CREATE TRIGGER labels_no_delete BEFORE DELETE ON labels BEGIN SELECT RAISE(ABORT, 'labels is append-only'); END;
COMMIT;
