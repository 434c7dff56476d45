# `make` lists the commands.
SHELL := /bin/sh
.DEFAULT_GOAL := help
.PHONY: help install demo demo-simulation receive-webhooks dev start test test-programs check lint contract-lint code-lint migrations-lint content-lint arrows accent commits style fresh types generate bench bench-growth bench-workers bench-facts bench-pages bench-reports bench-people bench-tracking bench-directory bench-import coverage
.PHONY: faults distribute pooled-check replica-check citus-check browser-check keycloak-check scorm-check pdf-corpora prose-check free-mail conformance contract-diff release scaffold sdk-check migrate keys catalogue simulations mail-check format clean

# The runtime is Node 24; 22.18 and newer also work. If the installed Node is older, make puts its own into .tools/.
NODE_VERSION := 24.21.0
NODE_IS_NEW := $(shell node -e 'const [a, b] = process.versions.node.split(".").map(Number); console.log(a > 22 || (a === 22 && b >= 18))' 2>/dev/null)
ifneq ($(NODE_IS_NEW),true)
# The package of the platform. `npm install node` would use a second npm, which takes more than twice as long.
NODE_PLATFORM := $(shell node -p 'process.platform + "-" + process.arch')
NODE_PACKAGE := $(if $(filter darwin-arm64,$(NODE_PLATFORM)),node-bin,node)-$(NODE_PLATFORM)
NODE_OF_OURS := .tools/node_modules/node/bin/node
export PATH := $(CURDIR)/.tools/node_modules/node/bin:$(PATH)
endif

INSTALLED := node_modules/.installed
# The dependencies of the service and its demo, without the development dependencies.
RUNNABLE := node_modules/.runnable
BIN := node_modules/.bin
export REDOCLY_TELEMETRY := off
export REDOCLY_SUPPRESS_UPDATE_NOTICE := true

help: ## list the commands
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.tools/node_modules/node/bin/node:
	npm install --prefix .tools --no-save --no-package-lock --no-audit --no-fund --loglevel=error node@npm:$(NODE_PACKAGE)@$(NODE_VERSION)

$(INSTALLED): package-lock.json | $(NODE_OF_OURS)
	npm ci --ignore-scripts --no-audit --no-fund --loglevel=error
	@touch $@ $(RUNNABLE)

$(RUNNABLE): package-lock.json | $(NODE_OF_OURS)
	@if test -e $(INSTALLED); then $(MAKE) $(INSTALLED) && touch $@; else \
	  npm ci --omit=dev --ignore-scripts --no-audit --no-fund --loglevel=error && touch $@; fi

install: $(INSTALLED) ## install the packages of package-lock.json

demo: $(RUNNABLE) ## serve the API with demo data on http://127.0.0.1:3000 (PORT); no database needed
	@NODE_COMPILE_CACHE=node_modules/.cache/compiled node scripts/demo/run.ts

demo-simulation: $(RUNNABLE) ## make a running demo send a phishing simulation to ten people (ARGS=http://127.0.0.1:3000/v1)
	@exec node scripts/demo/schedule-simulation.ts $(ARGS)

receive-webhooks: $(INSTALLED) ## receive, verify and print the webhooks of a running demo (ARGS=http://127.0.0.1:3000/v1)
	@exec node scripts/demo/receive-webhooks.ts $(ARGS)

dev: $(INSTALLED) ## serve the demo, and restart it after each change in api/, src/ or migrations/
	@exec node scripts/dev/run.ts

start: $(RUNNABLE) ## serve on the database of DATABASE_URL
	@exec node src/main.ts

# Test workers allocate many short-lived objects; a larger young generation is collected less often.
NODE_FOR_JEST := NODE_OPTIONS='--experimental-vm-modules --disable-warning=ExperimentalWarning --max-semi-space-size=64'
JEST := $(NODE_FOR_JEST) $(BIN)/jest

test: $(INSTALLED) ## run the tests of the service against a real Postgres (ARGS for some)
	$(JEST) $(or $(ARGS),--selectProjects rules service)

test-programs: $(INSTALLED) ## run the tests that start whole programs: processes, workers, commands, clients (ARGS for some)
	$(JEST) $(or $(ARGS),--selectProjects programs bridge)

pooled-check: $(INSTALLED) ## run every test through PgBouncer 1.21 or newer, from PGBOUNCER or the path (ARGS for some)
	@node tests/pooled/run.ts $(ARGS)

replica-check: $(INSTALLED) ## run the tests that call the service, with lists read from a streaming standby (ARGS for some)
	@TEST_REPLICA=yes $(MAKE) --no-print-directory test ARGS='$(or $(ARGS),tests/resources tests/http tests/auth tests/mcp)'

browser-check: $(INSTALLED) ## check the documentation in a Chromium from CHROMIUM, the path or npm
	CHROMIUM="$$(sh tests/browser/find-chromium.sh)" $(MAKE) --no-print-directory test ARGS='tests/browser --testTimeout=90000'

keycloak-check: $(INSTALLED) ## sign in with Keycloak from KEYCLOAK_HOME or Maven, in a Chromium; skipped without Java
	KEYCLOAK_HOME="$$(sh tests/browser/find-keycloak.sh)" CHROMIUM="$$(sh tests/browser/find-chromium.sh)" \
	  $(MAKE) --no-print-directory test ARGS='tests/browser/keycloak.test.ts --testTimeout=120000'

check: $(INSTALLED) ## check everything except the tests: contract, types, code, imports between modules, generated files
	@$(MAKE) --no-print-directory --keep-going lint types fresh

lint: contract-lint code-lint migrations-lint content-lint arrows accent style ## lint the contract, the code and the content

contract-lint: $(INSTALLED)
	$(BIN)/redocly lint api/openapi.yaml api/scim.yaml
	$(BIN)/spectral lint generated/openapi.json generated/scim.json --fail-severity=hint
	node scripts/check/run.ts
	node scripts/check/run.ts generated/scim.json

code-lint: $(INSTALLED)
	$(BIN)/eslint .

migrations-lint: $(INSTALLED)
	node scripts/check/migrations.ts

content-lint: $(INSTALLED)
	node scripts/check/content.ts

arrows: $(INSTALLED)
	$(BIN)/depcruise src migrations --config .dependency-cruiser.js

accent: $(INSTALLED)
	node scripts/check/accent.ts

commits: $(INSTALLED) ## check the subjects of commits, or of the range in ARGS
	@node scripts/check/commits.ts $(ARGS)

style: $(INSTALLED)
	$(BIN)/prettier --check --log-level warn .

fresh: $(INSTALLED)
	node scripts/generate/run.ts --check

types: $(INSTALLED) ## type-check
	$(BIN)/tsc -p .
	$(BIN)/tsc -p bridge
	$(BIN)/tsc -p sdk
	$(BIN)/tsc -p contract-gate

generate: $(INSTALLED) ## write generated/ from api/ and migrations/
	node scripts/generate/run.ts

contract-diff: $(INSTALLED) ## report what breaks, and for whom, since the last release or BASE (a git ref or a file); FORMAT=text, markdown or json
	@node contract-gate/src/cli.ts $(if $(BASE),'$(BASE)') --format '$(or $(FORMAT),text)'

release: $(INSTALLED) ## check everything, date the changelog, raise versions, write the released contract, commit and tag
	@node scripts/release/run.ts

sdk-check: $(INSTALLED) ## generate clients in several languages from the contract, and call the demo with each (ARGS=rust for some)
	@node scripts/sdk-check/run.ts $(ARGS)

free-mail: $(INSTALLED) ## update the domains of free e-mail providers from their npm package (ARGS=<version>; default: latest)
	@node scripts/free-mail/run.ts $(ARGS)

scaffold: $(INSTALLED) ## write the skeleton of an operation (ARGS="archiveGroup POST /groups/{groupId}/archive")
	@node scripts/scaffold/run.ts $(ARGS)

bench: $(INSTALLED) ## measure the service against bare contestants, and write tests/bench/RESULTS.md
	node tests/bench/run.ts $(ARGS)

bench-growth: $(INSTALLED) ## measure the cost of calls and rows as companies grow, and write tests/bench/GROWTH.md
	node tests/bench/growth.ts

bench-workers: $(INSTALLED) ## measure 1, 2 and 4 processes and their limits, and write tests/bench/WORKERS.md
	node tests/bench/workers.ts

bench-facts: $(INSTALLED) ## measure the intake of a million events of one simulation, and write tests/bench/FACTS.md
	node tests/bench/facts.ts

bench-pages: $(INSTALLED) ## measure each page of lists of a million rows, and write tests/bench/PAGES.md
	node tests/bench/pages.ts $(ARGS)

bench-reports: $(INSTALLED) ## measure reports, filters and periods of companies with ten years of facts, and write tests/bench/REPORTS.md
	node tests/bench/reports.ts $(ARGS)

bench-people: $(INSTALLED) ## measure 500 people who take a course on its pages, and write tests/bench/PEOPLE.md
	node tests/bench/people.ts $(ARGS)

bench-tracking: $(INSTALLED) ## measure 2,000 visits a second to links of a simulation, and write tests/bench/TRACKING.md
	node tests/bench/tracking.ts $(ARGS)

bench-directory: $(INSTALLED) ## measure a change of ten members in a group of 100,000
	node tests/bench/directory.ts

bench-import: $(INSTALLED) ## import five years of another platform, audit it by the reports, and write tests/bench/IMPORT.md
	node tests/bench/import.ts

faults: $(INSTALLED) ## kill, cut off and flood the service, and write tests/faults/RESULTS.md (ARGS="--quick kills")
	node tests/faults/run.ts $(ARGS)

citus-check: $(INSTALLED) ## compare the service on Citus with plain Postgres, if Citus is installed (CITUS_BIN; ARGS=tests/db for some tests)
	$(NODE_FOR_JEST) node tests/citus/run.ts $(ARGS)

pdf-corpora: $(INSTALLED) ## check folders of PDFs and compare the verdicts with qpdf, if it is on the path (ARGS="<folder> …")
	@node scripts/pdf-corpora/run.ts $(ARGS)

prose-check: $(INSTALLED) ## check spelling and grammar of all prose with LanguageTool, if Java and Maven are installed (ARGS=docs/ for a part)
	@node scripts/prose-check/run.ts $(ARGS)

MCP_CLIENTS := tests/mcp-conformance/clients

$(MCP_CLIENTS)/node_modules/.installed: $(MCP_CLIENTS)/package-lock.json | $(INSTALLED)
	npm ci --prefix $(MCP_CLIENTS) --ignore-scripts --no-audit --no-fund --loglevel=error
	@touch $@

conformance: $(INSTALLED) $(MCP_CLIENTS)/node_modules/.installed ## run conformance suites and real clients against /mcp, /xapi and /scim, and a GoPhish campaign
	node tests/mcp-conformance/run.ts $(ARGS)

scorm-check: $(INSTALLED) ## play public SCORM packages in a Chromium (SCORM_PACKAGES=<folder of git mirrors>; ARGS="Rise iSpring" for some)
	CHROMIUM="$$(sh tests/browser/find-chromium.sh)" node tests/scorm-conformance/run.ts $(ARGS)

coverage: $(INSTALLED) ## run the tests and report which lines of src/ they cover
	$(NODE_FOR_JEST) $(BIN)/c8 --include 'src/**' --reporter text --reporter html $(BIN)/jest

migrate: $(INSTALLED) ## migrate the database of DATABASE_OWNER_URL (ARGS=down reverts the last step)
	@node src/commands/migrate.ts $(ARGS)

distribute: $(INSTALLED) ## distribute the database of DATABASE_OWNER_URL over the nodes of its Citus cluster
	@node src/commands/distribute.ts

catalogue: $(INSTALLED) ## load the managed catalogue of courses from a file (ARGS="catalogue.json --dry-run")
	@node src/commands/catalogue.ts $(ARGS)

simulations: $(INSTALLED) ## stop all phishing simulations, or let them continue (ARGS=stop, start or status)
	@node src/commands/simulations.ts $(ARGS)

mail-check: $(INSTALLED) ## check SPF, DKIM, DMARC and MX of the sender domains (ARGS="192.0.2.25" of the mail server)
	@node src/commands/mail-check.ts $(ARGS)

keys: $(INSTALLED) ## issue, list and revoke API keys, and create companies (ARGS=--help)
	@node scripts/demo/keys.ts $(ARGS)

format: $(INSTALLED) ## format the code
	$(BIN)/prettier --write --log-level warn .

clean: ## remove everything that was installed and built, including the demo's database
	rm -rf node_modules tests/browser/chromium/node_modules $(MCP_CLIENTS)/node_modules .tools .postgres .mail coverage
