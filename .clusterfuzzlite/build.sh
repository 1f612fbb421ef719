#!/bin/bash -eu
# Builds every native fuzz target of the module as a libFuzzer program with its seeds: $OUT/<target> and
# $OUT/<target>_seed_corpus.zip. The sources stay as they are: an overlay shows Go the *_test.go files as ordinary
# ones, and harness/main.go plays the part of `go test`. ClusterFuzzLite sets OUT, CXX, CXXFLAGS and LIB_FUZZING_ENGINE.
export CGO_ENABLED=1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# overlay FOLDER: its package's test files under names without _test, and the harness made out for a target.
overlay() {
	echo '{"Replace":{'
	for file in $(grep -L '^package .*_test$' "$1"/*_test.go); do
		printf '"%s": "%s",\n' "$PWD/${file%_test.go}_libfuzzer.go" "$PWD/$file"
	done
	printf '"%s": "%s"\n}}\n' "$PWD/.clusterfuzzlite/harness/main.go" "$work/main.go"
}

# The targets read their seeds in the tree; it has to be where the programs are run, too.
mkdir -p "$OUT/conformance"
find . -type d -name testdata -print0 | xargs -0 cp -r --parents -t "$OUT/conformance" golden/agui/*.jsonl golden/agui/real

module=$(go list -m)
fuzz/targets | while read -r folder target; do
	echo "== $target"
	sed -e "s|example/target|$module/${folder#./}|" -e "s|FOLDER|$folder|" -e "s|\<FuzzTarget\>|$target|g" .clusterfuzzlite/harness/main.go >"$work/main.go"
	overlay "$folder" >"$work/overlay.json"
	go build -overlay "$work/overlay.json" -buildmode c-archive -trimpath -tags libfuzzer -gcflags all=-d=libfuzzer -o "$work/$target.a" ./.clusterfuzzlite/harness
	$CXX $CXXFLAGS $LIB_FUZZING_ENGINE "$work/$target.a" -o "$OUT/$target"
	mkdir "$work/$target"
	mkdir -p "$OUT/conformance/$folder"
	SEEDS="$work/$target" "$OUT/$target" -runs=0
	(cd "$work/$target" && zip -qr "$OUT/${target}_seed_corpus.zip" .)
done
