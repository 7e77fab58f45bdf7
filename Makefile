# Entry points of the build. Each step sets up what it needs, skips what is done, and can be run again at any time.

WITH_ENV := scripts/with-env.sh
NPM := npm run --silent --prefix www

.DEFAULT_GOAL := help
.PHONY: help demo site package test check bench accuracy setup setup-build setup-check clean

help: ## Show this list
	@sed -n 's/^\([a-z-]*\):.*## /  make \1|/p' $(firstword $(MAKEFILE_LIST)) | column -t -s '|'

demo: site ## Build everything and serve the page; prints its address (PORT=5173 to choose the port)
	@$(WITH_ENV) node scripts/serve.mjs

site: package ## Build the static page into www/dist (relative addresses: any folder of any server will do)
	@$(WITH_ENV) $(NPM) build

package: setup-build ## Build the npm package into pkg/, ready for `npm pack`
	@$(WITH_ENV) node scripts/build-package.mjs

test: setup ## Set up, then run every check and test; the last line is `N passed, N failed`
	@$(WITH_ENV) node scripts/test.mjs

check: setup-check ## The quick part of `make test`: format, lints, unit tests; no release build, browser or GPU
	@$(WITH_ENV) node scripts/test.mjs --quick

bench: setup-check ## Time the solver and the scheme it is compared with on this machine's GPU (BENCH="--help" for what to choose)
	@$(WITH_ENV) cargo run --quiet --release --features mesh-tools --example bench -- --json target/bench.json $(BENCH)

accuracy: setup-check ## Measure the solver against float64 references on this machine's GPU (ARGS="--quick", ARGS="static bunny")
	@$(WITH_ENV) cargo run --release --features mesh-tools --example accuracy -- $(ARGS)

setup: ## Install what the tests need (on Debian as root or with SOFTBODY_INSTALL=1; elsewhere say what to install)
	@scripts/setup.sh test

setup-build:
	@scripts/setup.sh build

setup-check:
	@scripts/setup.sh check

clean: ## Remove everything that was built in this clone; the tools in the user's cache stay
	rm -rf target pkg test-results www/dist www/node_modules www/.cache
