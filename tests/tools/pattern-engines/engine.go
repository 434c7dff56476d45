package main

import (
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"strings"
)

func main() {
	content, err := os.ReadFile(os.Args[1])
	if err != nil {
		panic(err)
	}
	var given struct{ Patterns, Texts []string }
	if err := json.Unmarshal(content, &given); err != nil {
		panic(err)
	}
	for _, pattern := range given.Patterns {
		compiled := regexp.MustCompile(pattern)
		var line strings.Builder
		for _, text := range given.Texts {
			if compiled.MatchString(text) {
				line.WriteByte('1')
			} else {
				line.WriteByte('0')
			}
		}
		fmt.Println(line.String())
	}
}
