"""Engine ``sat``: models on the SAT solvers of python-sat, circuits by cuts added lazily."""
