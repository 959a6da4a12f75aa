# Two commands on a fresh machine: `make demo` and `make test`. Both set up .venv by themselves.

PYTHON ?= python3
BIN := .venv/bin
# Most modules of what is installed are never imported: bytecode of all takes a minute.
INSTALL := $(BIN)/python -m pip install --quiet --no-compile
# Dozens of processes import the package: what the first one compiled serves all.
export PYTHONDONTWRITEBYTECODE :=
DEMO_STORE := --store demo/results.db
BRIEFLY := -o Acquire::Retries=0 -o Acquire::http::Timeout=20

.PHONY: demo serve test docs lint warm unit checked interpreted slow wheel vendor pictures bench peers clean

# The main job: a game, a league of all agents beside the published figures, a page of all results.
# The game comes first, because it needs little compiled.
demo: .venv/.installed
	mkdir -p demo
	$(BIN)/tamaya watch smartbot --players 3 --seed 1 --turns 3
	$(BIN)/tamaya warm agents
	$(BIN)/tamaya league -p 2-5 -n 2000 $(DEMO_STORE)
	$(BIN)/tamaya crossplay iggi van-den-bergh tamaya-mirror tamaya-mixed smartbot information -p 2,4 -n 1000 $(DEMO_STORE)
	$(BIN)/tamaya crossplay runs/strangers-25M/self-play-*.npz -p 2 -n 1000 $(DEMO_STORE)
	$(BIN)/tamaya crossplay runs/strangers-25M/cross-play-*.npz -p 2 -n 1000 $(DEMO_STORE)
	$(BIN)/tamaya curves ppo acha rainbow runs/acha-3 runs/rainbow-100M runs/bad $(DEMO_STORE)
	$(BIN)/tamaya behaviour tamaya-mirror -n 5000 --json $(DEMO_STORE) > demo/behaviour.json
	$(BIN)/tamaya gains sparta:blueprint=smartbot,samples=1000 -p 2 -n 10 $(DEMO_STORE)
	$(BIN)/tamaya reproduce canaan-5 $(DEMO_STORE)
	$(BIN)/tamaya reproduce canaan-6 $(DEMO_STORE)
	$(BIN)/tamaya report --out demo/report.html $(DEMO_STORE)

# The web table. The page is there at once, and says so while something is compiled for the first time.
serve: .venv/.installed
	$(BIN)/tamaya serve

# Compiling needs the package alone, so it begins while the rest is still installed. Much of the suite
# waits for browsers and engines; meanwhile the sources are checked, and parts of the suite run once
# more in two other ways.
test: .venv/.installed
	$(MAKE) --jobs 3 warm .venv/.hle .venv/.browser
	@$(MAKE) lint checked interpreted > .venv/other-ways.log 2>&1 & others=$$!; \
		$(MAKE) unit; unit=$$?; \
		echo "lint, the tests with bounds checking, and those with the compiler off:"; \
		wait $$others; others=$$?; cat .venv/other-ways.log; test $$unit$$others = 00

lint: .venv/.installed-test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

# Compiles everything, on all cores.
warm: .venv/.installed
	$(BIN)/tamaya warm

# Threads of the mathematics would wait for each other, busily, where workers have all cores already.
unit checked interpreted slow: export OMP_NUM_THREADS := 1

# Much of the time is waiting for browsers, engines and other processes: a worker more than cores.
unit: .venv/.installed-test .venv/.hle .venv/.browser
	$(BIN)/python -m pytest -n 3 --dist loadfile --no-loadscope-reorder --durations 25

# Part of the suite once more, with bounds checking in the compiled code. Of the other files not even
# what they import is needed.
checked: .venv/.installed-test
	NUMBA_BOUNDSCHECK=1 $(BIN)/python -m pytest -m checked -q -n 1 --dist loadfile --durations 15 \
		`grep -rl --include='test_*.py' mark.checked tests`

# And with the compiler off.
interpreted: .venv/.installed-test
	NUMBA_DISABLE_JIT=1 $(BIN)/python -m pytest -m "interpreted and not once" -q -n 1 --dist loadfile \
		`grep -rl --include='test_*.py' mark.interpreted tests`

# Learning to the end, and populations on Ray: minutes.
slow: .venv/.installed-test warm
	$(BIN)/python -m pytest -m slow -n 2 --durations 0

# A wheel that carries the compiled entry points, for every x86-64 processor since about 2015.
wheel: .venv/.installed
	rm -rf build/kernels build/precompiled
	NUMBA_CPU_NAME=x86-64-v3 NUMBA_CPU_FEATURES= TAMAYA_CACHE=build/kernels $(BIN)/tamaya warm
	mkdir -p build/precompiled dist
	cp build/kernels/sources.json build/kernels/kernels-*/*.nbc build/precompiled
	TAMAYA_PRECOMPILED=build/precompiled $(BIN)/python -m pip wheel --quiet --no-deps -w dist .
	@ls -l dist/*.whl

# The pages of docs/ and the API reference as a site in site/; a broken link is an error.
docs: .venv/.installed-docs
	$(BIN)/zensical build --strict --clean --config-file mkdocs.yml

# The page's only library, as npm has it: one module and its licence.
vendor:
	rm -rf build/vendor
	mkdir -p build/vendor
	cd build/vendor && npm pack --silent lit-html@3.3.3 && tar -xzf lit-html-3.3.3.tgz
	cp build/vendor/package/lit-html.js build/vendor/package/LICENSE src/tamaya/web/page/vendor

# The pictures of the table that README.md and docs/web.md show.
pictures: .venv/.installed-test .venv/.browser
	$(BIN)/python tests/pictures.py

bench: .venv/.installed-peers
	$(BIN)/tamaya bench

peers: .venv/.installed-peers

.venv/.installed: pyproject.toml
	test -d .venv || $(PYTHON) -m venv .venv
	$(INSTALL) --editable ".[web]"
	touch $@

.venv/.installed-test: .venv/.installed
	$(INSTALL) --editable ".[test]"
	touch $@

.venv/.hle: .venv/.installed-test
	@echo "building the Hanabi Learning Environment for the parity tests (needs a C++ compiler)"
	@CMAKE_POLICY_VERSION_MINIMUM=3.5 $(INSTALL) \
		hanabi-learning-environment==0.0.4 > .venv/hle-build.log 2>&1 \
		|| echo "notice: it could not be built, the parity tests with it will be skipped (see .venv/hle-build.log)"
	touch $@

# The browser of the page's tests, where this machine lets us install it. The one without windows takes
# a third of the time of the other, which will do.
.venv/.browser: .venv/.installed-test
	@command -v chromium-headless-shell > /dev/null \
		|| { test "$$(id -u)" = 0 && command -v apt-get > /dev/null \
			&& echo "installing chromium-headless-shell for the tests of the page" \
			&& apt-get $(BRIEFLY) update > .venv/chromium.log 2>&1 \
			&& apt-get $(BRIEFLY) install --yes --no-install-recommends chromium-headless-shell \
				>> .venv/chromium.log 2>&1; } \
		|| command -v chromium > /dev/null \
		|| echo "notice: there is no chromium, the tests of the page in a browser will be skipped"
	touch $@

.venv/.installed-docs: .venv/.installed
	$(INSTALL) --editable ".[docs]"
	touch $@

.venv/.installed-peers: .venv/.installed
	CMAKE_POLICY_VERSION_MINIMUM=3.5 $(INSTALL) --editable ".[peers]"
	touch $@

clean:
	rm -rf .venv build dist site .cache .mypy_cache .pytest_cache .ruff_cache
	find src tests -name __pycache__ -type d -prune -exec rm -rf {} +
