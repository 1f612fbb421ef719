package main

import (
	"encoding/json"
	"strconv"
	"strings"

	"github.com/ag-ui-protocol/ag-ui/sdks/community/go/pkg/core/types"
)

// lookUp follows a JSON pointer (RFC 6901) into the input as the SDK writes it.
func lookUp(input types.RunAgentInput, pointer string) (value any, present bool, err error) {
	data, err := json.Marshal(input)
	if err != nil {
		return nil, false, err
	}
	if err := json.Unmarshal(data, &value); err != nil {
		return nil, false, err
	}
	for _, token := range strings.Split(pointer, "/")[1:] {
		if value, present = member(value, token); !present {
			return nil, false, nil
		}
	}
	return value, true, nil
}

var unescape = strings.NewReplacer("~1", "/", "~0", "~")

func member(value any, token string) (any, bool) {
	switch v := value.(type) {
	case map[string]any:
		m, ok := v[unescape.Replace(token)]
		return m, ok
	case []any:
		i, err := strconv.ParseUint(token, 10, 31)
		if err != nil || int(i) >= len(v) || len(token) > 1 && token[0] == '0' {
			return nil, false
		}
		return v[i], true
	}
	return nil, false
}
